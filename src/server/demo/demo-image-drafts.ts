import { fullName } from './seed-roster.ts'
import { riverside, type StudioDraft, summit } from './seed-studios.ts'
import { hawks, type PhotographedSubject, players, portraitPupils, pupils } from './seed-subjects.ts'

/** The subject or group an image belongs to, by its name in the drafts; a background belongs to neither. */
export type DemoImageOwner = { subject: string } | { group: string } | { background: string }

/**
 * An image of a job: its file in the folder `pictures`, its owner, and how many seconds after the start of the picture
 * day it was taken.
 */
export type DemoImageDraft = {
  /** The folder of its files, below the job's own folder. */
  folder: string
  fileName: string
  imageFile: string
  owner: DemoImageOwner
  position: number
  seconds: number | undefined
}

/** The images of one job, and how many days from now they were taken. */
export type PictureDay = { studio: StudioDraft; folder: string; day: number; drafts: readonly DemoImageDraft[] }

/** Portraits taken at one subject a minute, with a few seconds between images. */
const portraits = (subjects: readonly PhotographedSubject[]): DemoImageDraft[] =>
  subjects.flatMap((subject, subjectIndex) =>
    subject.imageFiles.map((imageFile, index) => {
      const name = `IMG_${4100 + subjectIndex * 6 + index}`
      return {
        folder: name.toLowerCase(),
        fileName: `${name}${imageFile.slice(imageFile.lastIndexOf('.'))}`,
        imageFile,
        owner: { subject: fullName(subject) },
        position: index + 1,
        seconds: subjectIndex * 60 + index * 7,
      }
    }),
  )

/** One image of each group, taken after the portraits. */
const groupImages = (
  subjects: readonly PhotographedSubject[],
  imageFiles: readonly [string, ...string[]],
): DemoImageDraft[] =>
  [...new Set(subjects.map(({ group }) => group))].map((group, index) => ({
    folder: `group-${index + 1}`,
    fileName: `${group.replace(/[^\w]+/g, '-')}.jpg`,
    imageFile: imageFiles[index] ?? imageFiles[0],
    owner: { group },
    position: 1,
    seconds: (90 + index) * 60,
  }))

/** Backgrounds for cut-outs. */
const backgrounds = (files: readonly (readonly [name: string, file: string])[]): DemoImageDraft[] =>
  files.map(([name, file], index) => ({
    folder: `background-${file}`,
    fileName: `${file}.jpg`,
    imageFile: `background-${file}.jpg`,
    owner: { background: name },
    position: index + 1,
    seconds: undefined,
  }))

export const pictureDays = {
  spring: {
    studio: riverside,
    folder: 'demo/riverside/spring',
    day: -14,
    drafts: [...portraits(pupils), ...groupImages(pupils, ['class-grade-3.jpg', 'class-grade-4.jpg'])],
  },
  rapids: {
    studio: riverside,
    folder: 'demo/riverside/rapids',
    day: -9,
    drafts: [
      ...portraits(players),
      ...groupImages(players, ['team-rapids.jpg']),
      ...backgrounds([
        ['Stadium at Dusk', 'stadium-dusk'],
        ['Gym', 'gym'],
        ['Park', 'park'],
        ['Blue Canvas', 'blue-canvas'],
      ]),
    ],
  },
  hawks: { studio: summit, folder: 'demo/summit/hawks', day: -6, drafts: portraits(hawks) },
  classPortraits: {
    studio: riverside,
    folder: 'demo/riverside/class-portraits',
    day: -55,
    drafts: portraits(portraitPupils),
  },
} as const satisfies Record<string, PictureDay>

export type PictureDayName = keyof typeof pictureDays
