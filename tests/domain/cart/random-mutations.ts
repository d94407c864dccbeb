import fc from 'fast-check'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import {
  type Change,
  type LineContent,
  type MutationKind,
  mutationVersion,
  type RecordedMutation,
} from '#domain/cart/mutation.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import { addOn, imageChoice, packageOf, snapshotOf, textChoice } from './cart-fixtures.ts'
import { allServices, basicRetouch, nameAndYear, nameService, premiumRetouch } from './order-service-fixtures.ts'

const packages = [
  packageOf({ id: 100, retailCost: 25 }),
  packageOf({ id: 101, retailCost: 10 }),
  addOn(200, {}),
  addOn(201, { packageId: 100 }),
  addOn(202, { type: 'addon_price', requiredMinPrice: 30 }, 12.5),
]

// Few lines, so that mutations collide; line ids are tied to packages, as on a device.
const lines = ['a', 'b', 'x', 'y', 'z']

const content: fc.Arbitrary<LineContent> = fc.record({
  greenScreenBackgroundId: fc.constantFrom(null, 5),
  dataFields: fc.constantFrom([], [{ subjectId: null, name: 'Grade', value: '2', templateId: null, optionId: 3 }]),
  textNodes: fc.constantFrom([], [textChoice(21, 'Ada')], [textChoice(21, 'Grace')], [textChoice(77, 'nobody')]),
  imageNodes: fc.constantFrom([], [imageChoice(11)], [imageChoice(11, 502)]),
})
const lineId = fc.constantFrom(...lines)
const quantity = fc.integer({ min: 0, max: 4 })
const anySubjectId = fc.constantFrom(7, 8)
const services = [basicRetouch, premiumRetouch, nameService]

const packageOfLine = (id: string) => packages[lines.indexOf(id)] ?? packageOf()

/** How often each kind occurs, and its values. A new kind does not compile until it is here. */
const changes: Readonly<Record<MutationKind, { weight: number; arbitrary: fc.Arbitrary<Change> }>> = {
  'line.add': {
    weight: 5,
    arbitrary: fc.record({ lineId, quantity, content }).map((line): Change => {
      const packageVersion = packageOfLine(line.lineId)
      const owner = { subjectId: line.lineId === 'b' ? 8 : 7, personId: null }
      return {
        do: 'line.add',
        packageId: packageVersion.id,
        packageVersion: 1,
        quantity: line.quantity,
        lineId: line.lineId,
        ...owner,
        ...line.content,
      }
    }),
  },
  'line.customise': {
    weight: 2,
    arbitrary: fc
      .record({ lineId, content })
      .map((line): Change => ({ do: 'line.customise', lineId: line.lineId, ...line.content })),
  },
  'line.quantity': {
    weight: 3,
    arbitrary: fc.record({ lineId, quantity }).map((fields): Change => ({ do: 'line.quantity', ...fields })),
  },
  'line.accept': {
    weight: 1,
    arbitrary: lineId.map((id): Change => ({ do: 'line.accept', lineId: id, packageVersion: 2 })),
  },
  'line.remove': { weight: 2, arbitrary: lineId.map((id): Change => ({ do: 'line.remove', lineId: id })) },
  'cart.clear': { weight: 1, arbitrary: fc.constant<Change>({ do: 'cart.clear' }) },
  'service.set': {
    weight: 3,
    arbitrary: fc
      .record({
        service: fc.constantFrom(...services),
        subjectId: anySubjectId,
        imageId: fc.constantFrom(null, 501, 502),
      })
      .map(({ service, subjectId, imageId }): Change => {
        const imageLookupId = service.kind === 'retouch' ? imageId : null
        const personalization = service.kind === 'personalization' ? nameAndYear(imageId === null ? '' : 'Ada') : null
        const key = { subjectId, personId: null, orderServiceId: service.orderServiceId, imageLookupId }
        return { do: 'service.set', ...key, personalization, price: service.price }
      }),
  },
  'service.remove': {
    weight: 1,
    arbitrary: fc
      .record({ service: fc.constantFrom(...services), subjectId: anySubjectId })
      .map(({ service, subjectId }): Change => {
        const key = { subjectId, personId: null, orderServiceId: service.orderServiceId, imageLookupId: null }
        return { do: 'service.remove', ...key }
      }),
  },
  'pose.set': {
    weight: 1,
    arbitrary: fc
      .record({ subjectId: anySubjectId, imageId: fc.constantFrom(501, 502) })
      .map((fields): Change => ({ do: 'pose.set', ...fields })),
  },
  'person.set': {
    weight: 1,
    arbitrary: fc
      .record({ personId: fc.constantFrom('p', 'q'), firstName: fc.constantFrom('Bo', 'Bodil') })
      .map((fields): Change => ({ do: 'person.set', lastName: 'Ek', dataFields: [], ...fields })),
  },
}

const change: fc.Arbitrary<Change> = fc.oneof(...Object.values(changes))

/** The snapshot that a device stores with a change. */
const snapshotFor = (newChange: Change): RecordedMutation['snapshot'] => {
  if (newChange.do === 'line.add') return snapshotOf(packageOfLine(newChange.lineId))
  if (newChange.do === 'line.accept')
    return snapshotOf({ ...packageOfLine(newChange.lineId), version: newChange.packageVersion })
  if (newChange.do !== 'service.set') return null
  const service = services.find(({ orderServiceId }) => orderServiceId === newChange.orderServiceId)
  return service ? { service, flags: allServices } : null
}

const record = (newChange: Change, index: number): RecordedMutation => ({
  mutation: { id: `m${index}`, v: mutationVersion, at: '2027-04-01T10:00:00.000Z', ...newChange },
  snapshot: snapshotFor(newChange),
})

/** Up to twelve mutations on five lines of two subjects, each with its own id. */
export const mutations: fc.Arbitrary<RecordedMutation[]> = fc
  .array(change, { maxLength: 12 })
  .map((newChanges) => newChanges.map(record))

/** A cart that a server could have confirmed: some mutations applied to an empty one. */
export const confirmedCart: fc.Arbitrary<Cart> = mutations.map(
  (confirmedMutations) => replayMutations(emptyCart(1, 'gallery'), confirmedMutations).cart,
)
