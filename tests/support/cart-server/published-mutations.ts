import type { Change, LineContent } from '#domain/cart/mutation.ts'

const id = (last: number): string => `0f1e2d3c-4b5a-4678-9abc-${last.toString(16).padStart(12, '0')}`

export const publishedLineId = id(900)
export const publishedPersonId = id(901)

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

type MutationBody = Readonly<Record<string, unknown>>

/** Every kind of mutation as builds of version 1 wrote it. Never edit these: phones have them in their outboxes. */
const firstVersion: Readonly<Record<string, MutationBody>> = {
  'line.add': { lineId: publishedLineId, packageId: 100, packageVersion: 1, ...owner, quantity: 2, ...content },
  'line.customise': { lineId: publishedLineId, ...content },
  'line.quantity': { lineId: publishedLineId, quantity: 3 },
  'line.accept': { lineId: publishedLineId, packageVersion: 1 },
  'service.set': { ...service, personalization: null },
  'service.remove': service,
  'person.set': { personId: publishedPersonId, firstName: 'Bo', lastName: 'Ek', dataFields: [] },
  'pose.set': { subjectId: 7, imageId: 501 },
  'line.remove': { lineId: publishedLineId },
  'cart.clear': {},
}

/** The same for version 2, where an order service carries the price that was shown. */
const secondVersion = {
  ...firstVersion,
  'service.set': { ...service, personalization: null, price: 8 },
} satisfies Readonly<Record<Change['do'], MutationBody>> | Readonly<Record<string, MutationBody>>

/** A mutation as a phone's outbox may hold it, written by a build of any age. */
export type PublishedMutation = { v: number; do: string; mutation: MutationBody & { id: string } }

export const publishedMutations: readonly PublishedMutation[] = [firstVersion, secondVersion].flatMap((kinds, before) =>
  Object.entries(kinds).map(([what, told], place) => {
    const v = before + 1
    return { v, do: what, mutation: { id: id(v * 100 + place), v, at: '2026-11-21T10:00:00.000Z', do: what, ...told } }
  }),
)
