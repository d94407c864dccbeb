import { builtPlaces } from './built-places.ts'
import { fade, oval, shade, shape, softSpot, tint } from './ink.ts'
import { outdoors } from './outdoors.ts'
import { all, type Scene, scatter } from './scene.ts'

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

/** Every backdrop by its name: studio canvases and papers, and places. */
export const scenery = {
  'blue-canvas': canvas('#4d6a8a', '#a9c3da'),
  'grey-canvas': canvas('#6c7078', '#c3c7cc'),
  'warm-canvas': canvas('#8f6a50', '#e0bf9d'),
  'sage-canvas': canvas('#6f8470', '#c5d3bf'),
  'studio-grey': paper('#b9bcc0'),
  'studio-cream': paper('#e6d9c3'),
  'studio-blue': paper('#9fc0d8'),
  ...outdoors,
  ...builtPlaces,
} satisfies Record<string, Scene>

export type Backdrop = keyof typeof scenery
