import type { Deps } from '../deps.ts'
import type { Calendar } from './seed-dates.ts'
import {
  backgrounds,
  type Drawing,
  type DrawnPicture,
  drawPictures,
  groupPictures,
  keepLogo,
  type PictureDraft,
  sittings,
} from './seed-image-files.ts'
import { type Logo, riverside, type StudioDraft, summit } from './seed-studios.ts'
import { hawks, players, pupils } from './seed-subjects.ts'

/** All that is drawn for the demo, stored and ready. */
export type DrawnDemo = {
  logos: { riverside: Logo; summit: Logo }
  spring: DrawnPicture[]
  rapids: DrawnPicture[]
  hawks: DrawnPicture[]
}

const springDrafts = (drawing: Drawing): PictureDraft[] => [
  ...sittings(pupils, drawing, 'portrait'),
  ...groupPictures(pupils, drawing, ['library', 'park']),
]

const rapidsDrafts = (drawing: Drawing): PictureDraft[] => [
  ...sittings(players, drawing, 'cut-out'),
  ...groupPictures(players, drawing, ['stadium-dusk', 'park']),
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
  { calendar, side }: { calendar: Calendar; side: number },
): Promise<DrawnDemo> => {
  const draw = (studio: StudioDraft, event: string, drafts: readonly PictureDraft[]): Promise<DrawnPicture[]> => {
    const tell = (done: number): void => {
      if (done % 10 === 0 || done === drafts.length)
        log.info({ event, done, of: drafts.length }, 'drawing demo pictures')
    }
    return drawPictures(files, { studio, drafts, tell })
  }
  const drawing = (folder: string, days: number): Drawing => ({ folder, from: calendar.morning(days), side })
  return {
    logos: { riverside: await keepLogo(files, riverside), summit: await keepLogo(files, summit) },
    spring: await draw(riverside, 'spring', springDrafts(drawing('demo/riverside/spring', -14))),
    rapids: await draw(riverside, 'rapids', rapidsDrafts(drawing('demo/riverside/rapids', -9))),
    hawks: await draw(summit, 'hawks', sittings(hawks, drawing('demo/summit/hawks', -6), 'portrait')),
  }
}
