import { fullName } from './seed-roster.ts'
import { riverside, type StudioDraft, summit } from './seed-studios.ts'
import { hawks, type Photographed, players, pupils } from './seed-subjects.ts'

/** The subject or group an image belongs to, by its name in the drafts; a background belongs to neither. */
export type DemoImageOwner = { person: string } | { group: string } | { background: string }

/** An image of a job: its file in `pictures`, its owner, and how many seconds after the start of the picture day it was taken. */
export type DemoImageDraft = {
  /** The folder of its files, below the job's own folder. */
  folder: string
  fileName: string
  picture: string
  owner: DemoImageOwner
  position: number
  seconds: number | undefined
}

/** The images of one job, and how many days from now they were taken. */
export type PictureDay = { studio: StudioDraft; folder: string; day: number; drafts: readonly DemoImageDraft[] }

/** One subject a minute, a few seconds between images. */
const sittings = (people: readonly Photographed[]): DemoImageDraft[] =>
  people.flatMap((person, place) =>
    person.pictures.map((picture, index) => {
      const name = `IMG_${4100 + place * 6 + index}`
      return {
        folder: name.toLowerCase(),
        fileName: `${name}${picture.slice(picture.lastIndexOf('.'))}`,
        picture,
        owner: { person: fullName(person) },
        position: index + 1,
        seconds: place * 60 + index * 7,
      }
    }),
  )

/** One image of each group, taken after all subjects had theirs. */
const groupPictures = (people: readonly Photographed[], pictures: readonly [string, ...string[]]): DemoImageDraft[] =>
  [...new Set(people.map(({ group }) => group))].map((group, index) => ({
    folder: `group-${index + 1}`,
    fileName: `${group.replace(/[^\w]+/g, '-')}.jpg`,
    picture: pictures[index] ?? pictures[0],
    owner: { group },
    position: 1,
    seconds: (90 + index) * 60,
  }))

/** Backgrounds for cut-outs. */
const backgrounds = (named: readonly (readonly [name: string, place: string])[]): DemoImageDraft[] =>
  named.map(([name, place], index) => ({
    folder: `background-${place}`,
    fileName: `${place}.jpg`,
    picture: `background-${place}.jpg`,
    owner: { background: name },
    position: index + 1,
    seconds: undefined,
  }))

export const pictureDays = {
  spring: {
    studio: riverside,
    folder: 'demo/riverside/spring',
    day: -14,
    drafts: [...sittings(pupils), ...groupPictures(pupils, ['class-grade-3.jpg', 'class-grade-4.jpg'])],
  },
  rapids: {
    studio: riverside,
    folder: 'demo/riverside/rapids',
    day: -9,
    drafts: [
      ...sittings(players),
      ...groupPictures(players, ['team-rapids.jpg']),
      ...backgrounds([
        ['Stadium at Dusk', 'stadium-dusk'],
        ['Gym', 'gym'],
        ['Park', 'park'],
        ['Blue Canvas', 'blue-canvas'],
      ]),
    ],
  },
  hawks: { studio: summit, folder: 'demo/summit/hawks', day: -6, drafts: sittings(hawks) },
} as const satisfies Record<string, PictureDay>

export type PictureDayName = keyof typeof pictureDays
