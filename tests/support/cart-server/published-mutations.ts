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

/**
 * Every kind of mutation as builds of version 1 write it. Once version 1 is released, add new kinds and never edit the others: phones have
 * these stored.
 */
const firstVersion = {
  'line.add': { lineId: publishedLineId, packageId: 100, packageVersion: 1, ...owner, quantity: 2, ...content },
  'line.customise': { lineId: publishedLineId, ...content },
  'line.quantity': { lineId: publishedLineId, quantity: 3 },
  'line.accept': { lineId: publishedLineId, packageVersion: 1 },
  'service.set': { ...service, personalization: null, price: 8 },
  'service.remove': service,
  'person.set': { personId: publishedPersonId, firstName: 'Bo', lastName: 'Ek', dataFields: [] },
  'pose.set': { subjectId: 7, imageId: 501 },
  'line.remove': { lineId: publishedLineId },
  'cart.clear': {},
} satisfies Readonly<Record<string, MutationBody>>

type MutationBodies = Readonly<Record<string, MutationBody>>

/** The kinds of each version, from version 1. A new version adds its own entry. The last one does not compile unless it has every kind. */
const versions: readonly [...MutationBodies[], Readonly<Record<Change['do'], MutationBody>>] = [firstVersion]

/** A mutation as a phone may hold it in its outbox, whatever the build that wrote it. */
export type PublishedMutation = { v: number; do: string; mutation: MutationBody & { id: string } }

export const publishedMutations: readonly PublishedMutation[] = versions.flatMap((bodies, index) =>
  Object.entries(bodies).map(([kind, body], position) => {
    const v = index + 1
    const stamped = { id: id(v * 100 + position), v, at: '2026-11-21T10:00:00.000Z' }
    return { v, do: kind, mutation: { ...stamped, do: kind, ...body } }
  }),
)
