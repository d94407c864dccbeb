import { chanceFrom } from './chance.ts'
import { fade, line, oval, shape, softSpot } from './ink.ts'
import { bokeh } from './outdoors.ts'
import { all, type Scene, scatter } from './scene.ts'

const floodlight = (x: number, y: number): string =>
  oval({ x, y, rx: 190, ry: 150 }, 'url(#lamp)') +
  line(`M${x} ${y + 30}L${x} ${y + 420}`, '#232a44', 14) +
  [-60, -20, 20, 60].flatMap((dx) => [-20, 14].map((dy) => oval({ x: x + dx, y: y + dy, rx: 17 }, '#fffdf0'))).join('')

const stadium: Scene = {
  blur: 7,
  draw: (h) => {
    const field = h * 0.66
    return (
      fade('dusk', [0, 0, 0, field], [0, '#232a5c'], [0.5, '#7a4f86'], [0.82, '#e5875f'], [1, '#f8c777']) +
      shape(all(h), 'url(#dusk)') +
      softSpot('lamp', [0, '#fffbe0', 0.95], [0.3, '#fff3c0', 0.4], [1, '#fff3c0', 0]) +
      shape(`M0 ${field - 170}C300 ${field - 110} 700 ${field - 110} 1000 ${field - 170}V${field + 10}H0Z`, '#2c2a4a') +
      scatter('crowd', 420, (chance) =>
        oval(
          { x: chance.between(0, 1000), y: chance.between(field - 125, field - 14), rx: chance.between(4, 8) },
          chance.pick(['#e8c39a', '#8fb7c9', '#d97b62', '#f3ead7', '#5c6a9c', '#c9a24b']),
          { opacity: 0.62 },
        ),
      ) +
      floodlight(150, h * 0.17) +
      floodlight(850, h * 0.17) +
      Array.from({ length: 7 }, (_, n) =>
        shape(
          `M${(n * 1000) / 7 - (n - 3) * 4} ${field}H${((n + 1) * 1000) / 7 - (n - 3) * 4}L${((n + 1 - 3.5) * 2600) / 7 + 500} ${h}H${((n - 3.5) * 2600) / 7 + 500}Z`,
          n % 2 === 0 ? '#3f8a4c' : '#4f9d58',
        ),
      ).join('') +
      line(`M0 ${field + 4}H1000`, '#f4f7ee', 6, { opacity: 0.8 })
    )
  },
}

const gym: Scene = {
  blur: 9,
  draw: (h) => {
    const floor = h * 0.68
    return (
      fade('wall', [0, 0, 0, floor], [0, '#cfd9de'], [1, '#e9e6dc']) +
      shape(all(h), 'url(#wall)') +
      [120, 340, 560, 780].map((x) => shape(`M${x} ${h * 0.06}h130v${h * 0.14}h-130Z`, '#f8fcff')).join('') +
      shape(`M0 ${floor - h * 0.2}H1000V${floor}H0Z`, '#2f6f86') +
      Array.from({ length: 11 }, (_, n) => line(`M${n * 100} ${floor - h * 0.2}V${floor}`, '#24586c', 5)).join('') +
      shape(`M640 ${h * 0.24}h250v${h * 0.15}h-250Z`, '#fdfdfb') +
      line(`M710 ${h * 0.3}h110v${h * 0.07}h-110Z`, '#d4573f', 8) +
      line(`M715 ${h * 0.405}H815`, '#e0672f', 14) +
      line(`M725 ${h * 0.41}L745 ${h * 0.47}H785L805 ${h * 0.41}`, '#fff', 6, { opacity: 0.8 }) +
      fade('wood', [0, floor, 0, h], [0, '#e2b176'], [1, '#b97f45']) +
      shape(`M0 ${floor}H1000V${h}H0Z`, 'url(#wood)') +
      Array.from({ length: 13 }, (_, n) =>
        line(`M${n * 84} ${floor}L${(n * 84 - 500) * 2.4 + 500} ${h}`, '#a06a38', 3, { opacity: 0.5 }),
      ).join('') +
      line(`M-50 ${h * 0.93}C300 ${h * 0.77} 700 ${h * 0.77} 1050 ${h * 0.93}`, '#fdf6e8', 12, { opacity: 0.75 })
    )
  },
}

const library: Scene = {
  blur: 8,
  draw: (h) => {
    const shelf = 168
    const rows = Math.ceil(h / shelf)
    const books = Array.from({ length: rows }, (_, row) => {
      const chance = chanceFrom(`shelf ${row}`)
      let x = 0
      let drawn = ''
      while (x < 1000) {
        const [width, height] = [chance.between(16, 38), chance.between(90, 138)]
        const colour = chance.pick([
          '#9c3d3a',
          '#2f5d6b',
          '#c98f3d',
          '#4c6b48',
          '#5d4a74',
          '#d9c7a0',
          '#7a4a32',
          '#30415f',
          '#b5654a',
        ])
        if (!chance.happens(0.08))
          drawn += shape(`M${x} ${row * shelf + 146 - height}h${width - 2}v${height}h-${width - 2}Z`, colour)
        x += width
      }
      return `${drawn}${shape(`M0 ${row * shelf + 146}H1000v22H0Z`, '#8a5a36')}`
    })
    return (
      shape(all(h), '#3d281d') +
      books.join('') +
      [0, 332, 664, 996].map((x) => line(`M${x} 0V${h}`, '#744a2c', 22)).join('') +
      softSpot('lamp', [0, '#ffdf9e', 0.6], [0.5, '#ffdf9e', 0.22], [1, '#ffdf9e', 0]) +
      oval({ x: 300, y: h * 0.3, rx: 620, ry: h * 0.5 }, 'url(#lamp)') +
      bokeh('library', { count: 14, top: 0, bottom: h * 0.5, colours: ['#ffe9b8', '#fff3d6'] })
    )
  },
}

/** Places people built. */
export const builtPlaces = { 'stadium-dusk': stadium, gym, library }
