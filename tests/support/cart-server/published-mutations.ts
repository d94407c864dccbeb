import type { Change, LineContent } from '#domain/cart/mutation.ts'

const id = (last: number): string => `0f1e2d3c-4b5a-4678-9abc-${last.toString(16).padStart(12, '0')}`

export const publishedLine = id(900)
export const publishedPerson = id(901)

const content: LineContent = {
  greenScreenBackgroundId: null,
  dataFields: [{ subjectId: 7, name: 'Grade', value: '2', templateId: null, optionId: 3 }],
  textNodes: [{ packageItemTextNodeId: 21, value: 'Ada', autoFilled: true }],
  imageNodes: [
    {
      packageItemImageNodeId: 11,
      subjectImageId: 501,
      groupImageId: null,
      replacementImageId: null,
      cropDimensions: { width: 80, height: 80, cropX: 10, cropY: 10, xMid: 50, yMid: 50 },
      frontendCropDimensions: { x: 0, y: 0, zoom: 1.25 },
      rotation: 90,
    },
  ],
}
const owner = { subjectId: 7, personId: null }
const service = { ...owner, orderServiceId: 1, imageLookupId: null }

type Told = Readonly<Record<string, unknown>>

/** Every kind of change as the builds of version 1 wrote it. Never to be put right: phones have these. */
const first: Readonly<Record<string, Told>> = {
  'line.add': { lineId: publishedLine, packageId: 100, packageVersion: 1, ...owner, quantity: 2, ...content },
  'line.customise': { lineId: publishedLine, ...content },
  'line.quantity': { lineId: publishedLine, quantity: 3 },
  'line.accept': { lineId: publishedLine, packageVersion: 1 },
  'service.set': { ...service, personalization: null },
  'service.remove': service,
  'person.set': { personId: publishedPerson, firstName: 'Bo', lastName: 'Ek', dataFields: [] },
  'pose.set': { subjectId: 7, imageId: 501 },
  'line.remove': { lineId: publishedLine },
  'cart.clear': {},
}

/** The same of version 2: a service says what it was shown to cost. */
const second = {
  ...first,
  'service.set': { ...service, personalization: null, price: 8 },
} satisfies Readonly<Record<Change['do'], Told>> | Readonly<Record<string, Told>>

/** A mutation as a phone may have it lie in its outbox, however old the build that wrote it. */
export type Published = { v: number; do: string; mutation: Told & { id: string } }

export const published: readonly Published[] = [first, second].flatMap((kinds, before) =>
  Object.entries(kinds).map(([what, told], place) => {
    const v = before + 1
    return { v, do: what, mutation: { id: id(v * 100 + place), v, at: '2026-11-21T10:00:00.000Z', do: what, ...told } }
  }),
)
