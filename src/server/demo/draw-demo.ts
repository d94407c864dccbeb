import type { Deps } from '../deps.ts'
import type { DemoCalendar } from './seed-dates.ts'
import {
  backgrounds,
  type Drawing,
  type DrawnImage,
  drawImages,
  groupImages,
  type ImageDraft,
  sittings,
  storeLogo,
} from './seed-image-files.ts'
import { type Logo, riverside, type StudioDraft, summit } from './seed-studios.ts'
import { hawks, players, pupils } from './seed-subjects.ts'

/** All that is drawn for the demo, stored and ready. */
export type DrawnDemo = {
  logos: { riverside: Logo; summit: Logo }
  spring: DrawnImage[]
  rapids: DrawnImage[]
  hawks: DrawnImage[]
}

const springDrafts = (drawing: Drawing): ImageDraft[] => [
  ...sittings(pupils, drawing, 'portrait'),
  ...groupImages(pupils, drawing, ['library', 'park']),
]

const rapidsDrafts = (drawing: Drawing): ImageDraft[] => [
  ...sittings(players, drawing, 'cut-out'),
  ...groupImages(players, drawing, ['stadium-dusk', 'park']),
  ...backgrounds(
    [
      ['Stadium at Dusk', 'stadium-dusk'],
      ['Gym', 'gym'],
      ['Park', 'park'],
      ['Blue Canvas', 'blue-canvas'],
    ],
    drawing,
  ),
]

/** Draws everything, saying how far it is: on a slow machine this is what a first start waits for. */
export const drawDemo = async (
  { files, log }: Pick<Deps, 'files' | 'log'>,
  { calendar, side }: { calendar: DemoCalendar; side: number },
): Promise<DrawnDemo> => {
  const draw = (studio: StudioDraft, event: string, drafts: readonly ImageDraft[]): Promise<DrawnImage[]> => {
    const tell = (done: number): void => {
      if (done % 10 === 0 || done === drafts.length)
        log.info({ event, done, of: drafts.length }, 'drawing demo pictures')
    }
    return drawImages(files, { studio, drafts, tell })
  }
  const drawing = (folder: string, days: number): Drawing => ({ folder, from: calendar.morning(days), side })
  return {
    logos: { riverside: await storeLogo(files, riverside), summit: await storeLogo(files, summit) },
    spring: await draw(riverside, 'spring', springDrafts(drawing('demo/riverside/spring', -14))),
    rapids: await draw(riverside, 'rapids', rapidsDrafts(drawing('demo/riverside/rapids', -9))),
    hawks: await draw(summit, 'hawks', sittings(hawks, drawing('demo/summit/hawks', -6), 'portrait')),
  }
}
