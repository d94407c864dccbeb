import { fade, line, oval, shape } from './ink.ts'
import { all, type Scene, scatter } from './scene.ts'

/** Spots of light out of focus. */
export const bokeh = (
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

/** Places under the open sky. */
export const outdoors = { park, autumn, 'blue-sky': sky }
