import fc from 'fast-check'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import { type Change, type LineContent, mutationVersion, type RecordedMutation } from '#domain/cart/mutation.ts'
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
const person = fc.constantFrom(7, 8)
const services = [basicRetouch, premiumRetouch, nameService]

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ lineId, quantity, content }).map((one): Change => {
      const from = packages[lines.indexOf(one.lineId)] ?? packageOf()
      const owner = { subjectId: one.lineId === 'b' ? 8 : 7, personId: null }
      return {
        do: 'line.add',
        packageId: from.id,
        packageVersion: 1,
        quantity: one.quantity,
        lineId: one.lineId,
        ...owner,
        ...one.content,
      }
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ lineId, content })
      .map((one): Change => ({ do: 'line.customise', lineId: one.lineId, ...one.content })),
  },
  { weight: 3, arbitrary: fc.record({ lineId, quantity }).map((one): Change => ({ do: 'line.quantity', ...one })) },
  { weight: 2, arbitrary: lineId.map((one): Change => ({ do: 'line.remove', lineId: one })) },
  { weight: 1, arbitrary: fc.constant<Change>({ do: 'cart.clear' }) },
  {
    weight: 3,
    arbitrary: fc
      .record({ service: fc.constantFrom(...services), subjectId: person, picture: fc.constantFrom(null, 501, 502) })
      .map(({ service, subjectId, picture }): Change => {
        const imageLookupId = service.kind === 'retouch' ? picture : null
        const personalization = service.kind === 'personalization' ? nameAndYear(picture === null ? '' : 'Ada') : null
        const key = { subjectId, personId: null, orderServiceId: service.orderServiceId, imageLookupId }
        return { do: 'service.set', ...key, personalization, price: service.price }
      }),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ service: fc.constantFrom(...services), subjectId: person })
      .map(({ service, subjectId }): Change => {
        const key = { subjectId, personId: null, orderServiceId: service.orderServiceId, imageLookupId: null }
        return { do: 'service.remove', ...key }
      }),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ subjectId: person, imageId: fc.constantFrom(501, 502) })
      .map((one): Change => ({ do: 'pose.set', ...one })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ personId: fc.constantFrom('p', 'q'), firstName: fc.constantFrom('Bo', 'Bodil') })
      .map((one): Change => ({ do: 'person.set', lastName: 'Ek', dataFields: [], ...one })),
  },
)

const record = (one: Change, index: number): RecordedMutation => {
  const from = one.do === 'line.add' ? packages.find((candidate) => candidate.id === one.packageId) : undefined
  const service = one.do === 'service.set' && services.find((other) => other.orderServiceId === one.orderServiceId)
  return {
    mutation: { id: `m${index}`, v: mutationVersion, at: '2027-04-01T10:00:00.000Z', ...one },
    snapshot: from ? snapshotOf(from) : service ? { service, flags: allServices } : null,
  }
}

/** Up to twelve mutations on five lines of two subjects, each with its own id. */
export const mutations: fc.Arbitrary<RecordedMutation[]> = fc
  .array(change, { maxLength: 12 })
  .map((changes) => changes.map((one, index) => record(one, index)))

/** A cart that a server could have confirmed: some mutations applied to an empty one. */
export const confirmedCart: fc.Arbitrary<Cart> = mutations.map(
  (some) => replayMutations(emptyCart(1, 'gallery'), some).cart,
)
