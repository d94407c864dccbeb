import { chanceFrom } from './chance.ts'
import { fade, line, oval, shade, shape, softSpot, tint } from './ink.ts'

/** A scene drawn 1000 wide and `h` high, and how far out of focus it is (in thousandths of its width). */
export type Scene = { blur: number; draw: (h: number) => string }

const all = (h: number) => `M0 0H1000V${h}H0Z`

const scatter = (seed: string, count: number, draw: (next: ReturnType<typeof chanceFrom>) => string): string => {
  const chance = chanceFrom(seed)
  return Array.from({ length: count }, () => draw(chance)).join('')
}

/** Painted canvas: clouds of lighter and darker paint, a pool of light behind the head, dark corners. */
const canvas = (colour: string, light: string): Scene => ({
  blur: 14,
  draw: (h) =>
    shape(all(h), colour) +
    scatter(colour, 90, (chance) =>
      oval(
        {
          x: chance.between(-60, 1060),
          y: chance.between(-60, h + 60),
          rx: chance.between(40, 150),
          ry: chance.between(30, 110),
        },
        chance.happens(0.5) ? tint(colour, 0.35) : shade(colour, 0.4),
        { opacity: chance.between(0.08, 0.26) },
      ),
    ) +
    softSpot('pool', [0, light, 0.8], [0.5, light, 0.35], [1, light, 0]) +
    oval({ x: 480, y: h * 0.4, rx: 560, ry: h * 0.5 }, 'url(#pool)') +
    softSpot('corner', [0, '#000', 0], [0.62, '#0c0a14', 0.02], [1, '#0c0a14', 0.46]) +
    oval({ x: 500, y: h * 0.45, rx: 820, ry: h * 0.82 }, 'url(#corner)'),
})

/** A roll of paper, lit from the left, curving onto the floor. */
const paper = (colour: string): Scene => ({
  blur: 8,
  draw: (h) =>
    fade('paper', [0, 0, 1000, h], [0, tint(colour, 0.55)], [0.45, colour], [1, shade(colour, 0.3)]) +
    shape(all(h), 'url(#paper)') +
    softSpot('pool', [0, '#fff', 0.55], [1, '#fff', 0]) +
    oval({ x: 440, y: h * 0.36, rx: 560, ry: h * 0.42 }, 'url(#pool)') +
    fade('floor', [0, h * 0.8, 0, h], [0, '#1d1430', 0], [0.3, '#1d1430', 0.1], [1, '#1d1430', 0]) +
    shape(`M0 ${h * 0.78}H1000V${h}H0Z`, 'url(#floor)'),
})

const bokeh = (
  seed: string,
  {
    count,
    top,
    bottom,
    colours,
  }: { count: number; top: number; bottom: number; colours: readonly [string, ...string[]] },
): string =>
  scatter(seed, count, (chance) =>
    oval(
      { x: chance.between(-40, 1040), y: chance.between(top, bottom), rx: chance.between(16, 62) },
      chance.pick(colours),
      { opacity: chance.between(0.14, 0.42) },
    ),
  )

const trees = (seed: string, h: number, colours: readonly [string, ...string[]]): string =>
  scatter(seed, 60, (chance) =>
    oval(
      {
        x: chance.between(-80, 1080),
        y: chance.between(0, h * 0.6),
        rx: chance.between(60, 190),
        ry: chance.between(50, 150),
      },
      chance.pick(colours),
      { opacity: chance.between(0.35, 0.8) },
    ),
  )

const trunks = (seed: string, h: number): string =>
  scatter(seed, 5, (chance) => {
    const x = chance.between(20, 980)
    return line(`M${x} -20L${x + chance.between(-30, 30)} ${h * 0.68}`, '#4a3528', chance.between(22, 54), {
      opacity: 0.55,
    })
  })

const park: Scene = {
  blur: 16,
  draw: (h) =>
    shape(all(h), '#a9c98a') +
    trunks('park trunks', h) +
    trees('park', h, ['#5f8f52', '#79a861', '#9cc27a', '#3f6f45', '#c7dd95']) +
    fade('lawn', [0, h * 0.6, 0, h], [0, '#a8cb74'], [1, '#6c9a4c']) +
    shape(`M0 ${h * 0.66}C300 ${h * 0.61} 700 ${h * 0.67} 1000 ${h * 0.63}V${h}H0Z`, 'url(#lawn)') +
    bokeh('park light', { count: 46, top: 0, bottom: h * 0.6, colours: ['#fff7c8', '#f4ffd2', '#ffffff'] }),
}

const autumn: Scene = {
  blur: 15,
  draw: (h) =>
    shape(all(h), '#e8b768') +
    trunks('autumn trunks', h) +
    trees('autumn', h, ['#d9772f', '#e9a13b', '#c4532c', '#f0c25b', '#9d4526', '#b98a3a']) +
    fade('leaves', [0, h * 0.62, 0, h], [0, '#d99a4a'], [1, '#8f5a2c']) +
    shape(`M0 ${h * 0.68}C260 ${h * 0.64} 700 ${h * 0.71} 1000 ${h * 0.66}V${h}H0Z`, 'url(#leaves)') +
    scatter('fallen', 90, (chance) =>
      oval(
        {
          x: chance.between(0, 1000),
          y: chance.between(h * 0.7, h),
          rx: chance.between(8, 24),
          ry: chance.between(5, 12),
        },
        chance.pick(['#f0b850', '#d2642e', '#b4432a', '#f5d27a']),
        { opacity: 0.7 },
      ),
    ) +
    bokeh('autumn light', { count: 50, top: 0, bottom: h * 0.62, colours: ['#fff0b8', '#ffd98a', '#fffbe0'] }),
}

const sky: Scene = {
  blur: 5,
  draw: (h) =>
    fade('sky', [0, 0, 0, h], [0, '#3f86cf'], [0.55, '#8dc3ee'], [1, '#dff0fb']) +
    shape(all(h), 'url(#sky)') +
    scatter('clouds', 9, (chance) => {
      const [x, y, size] = [chance.between(0, 1000), chance.between(h * 0.12, h * 0.85), chance.between(0.6, 1.5)]
      const puffs = [
        [-90, 8, 60, 34],
        [-30, -14, 72, 50],
        [44, -22, 80, 58],
        [112, 6, 62, 36],
        [10, 22, 140, 30],
      ]
      return puffs
        .map(([dx = 0, dy = 0, rx = 0, ry = 0]) =>
          oval({ x: x + dx * size, y: y + dy * size, rx: rx * size, ry: ry * size }, '#fff', { opacity: 0.72 }),
        )
        .join('')
    }),
}

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

/** Every backdrop by its name: studio canvases and papers, and places. */
export const scenery = {
  'blue-canvas': canvas('#4d6a8a', '#a9c3da'),
  'grey-canvas': canvas('#6c7078', '#c3c7cc'),
  'warm-canvas': canvas('#8f6a50', '#e0bf9d'),
  'sage-canvas': canvas('#6f8470', '#c5d3bf'),
  'studio-grey': paper('#b9bcc0'),
  'studio-cream': paper('#e6d9c3'),
  'studio-blue': paper('#9fc0d8'),
  park,
  autumn,
  'blue-sky': sky,
  'stadium-dusk': stadium,
  gym,
  library,
} satisfies Record<string, Scene>

export type Backdrop = keyof typeof scenery
