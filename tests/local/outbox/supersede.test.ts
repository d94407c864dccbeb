import { expect, it } from 'vitest'
import type { Cart } from '#domain/cart/cart.ts'
import { customiseLine, readCart } from '#local/cart.ts'
import { markOrdered } from '#local/checkout.ts'
import { addTypedSubject, updateTypedSubject } from '#local/outbox/edit-typed-subject.ts'
import { rejectedMutations, retryRejected } from '#local/outbox/rejected-mutations.ts'
import { chooseYearBookPose, setOrderService } from '#local/outbox/set-order-service.ts'
import { setSubjectFields } from '#local/outbox/set-subject-fields.ts'
import type { CartKey } from '#local/store/database.ts'
import { typedSubjectByNumber } from '#local/store/typed-subjects.ts'
import { addLine } from '#support/device/add-line.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { noContent, snapshotOf, textChoice } from '../../domain/cart/cart-fixtures.ts'
import { nameAndYear, nameService, serviceSnapshotOf } from '../../domain/cart/order-service-fixtures.ts'
import { add, addTo, type Device, drainFully, gallery, openDevice, portrait, prepay } from '../device-fixture.ts'

const ada = { subjectId: 7, personId: null, imageLookupId: null }

/** Something a customer sets as a whole, to one value after another. */
type Setting = {
  of: CartKey
  begin: (device: Device) => Promise<unknown>
  set: (device: Device, value: string) => Promise<{ ok: boolean }>
  valueIn: (cart: Cart) => unknown
}

const lineOf = async ({ db }: Device, { jobId, orderMethod }: CartKey = gallery) =>
  (await readCart(db, jobId, orderMethod)).cart.cartPackages.map(({ lineId }) => lineId)[0] ?? ''
const typed = (firstName: string) => ({ firstName, lastName: 'Ek', dataFields: [] })
const texts = (value: string) => ({ ...noContent, textNodes: [textChoice(21, value)] })

const settings: [string, Setting][] = [
  [
    'quantity',
    {
      of: gallery,
      begin: add,
      set: async (device, value) =>
        setQuantity(device.db, device.stamp, { ...gallery, lineId: await lineOf(device), quantity: Number(value) }),
      valueIn: ({ cartPackages: [line] }) => `${line?.quantity}`,
    },
  ],
  [
    'edit of a line',
    {
      of: gallery,
      begin: add,
      set: async (device, value) =>
        customiseLine(device.db, device.stamp, { ...gallery, lineId: await lineOf(device), content: texts(value) }),
      valueIn: ({ cartPackages: [line] }) => line?.cartPackageItems[0]?.textNodes[0]?.value,
    },
  ],
  [
    'name of a person',
    {
      of: prepay,
      begin: async ({ db, stamp }) => {
        await addTypedSubject(db, stamp, { ...prepay, typed: typed('Bo') })
        const personId = (await typedSubjectByNumber(db, 1, -1))?.personId ?? null
        const line = { subjectId: null, personId, snapshot: snapshotOf(portrait), quantity: 1, content: noContent }
        await addLine(db, stamp, { ...prepay, ...line })
      },
      set: ({ db, stamp }, value) => updateTypedSubject(db, stamp, { ...prepay, number: -1, typed: typed(value) }),
      valueIn: ({ subjects: [person] }) => person?.firstName,
    },
  ],
  [
    'service',
    {
      of: gallery,
      begin: add,
      set: ({ db, stamp }, value) => {
        const personalization = nameAndYear(value)
        return setOrderService(db, stamp, {
          ...gallery,
          for: ada,
          snapshot: serviceSnapshotOf(nameService),
          personalization,
        })
      },
      valueIn: ({
        cartOrderServicesDetails: {
          personalizations: [one],
        },
      }) => one?.nameToPrint,
    },
  ],
  [
    'pose',
    {
      of: gallery,
      begin: async () => undefined,
      set: ({ db, stamp }, value) =>
        chooseYearBookPose(db, stamp, { ...gallery, subjectId: 7, imageId: Number(value) }),
      valueIn: ({ yearBookPoses: [pose] }) => `${pose?.imageId}`,
    },
  ],
]

it.each(settings)(
  'a refused %s asks for no decision once it is set anew, and is never put over that',
  async (_, one) => {
    const device = await openDevice()
    const { db, stamp, server } = device
    await one.begin(device)
    await device.sender().drain()
    server.rejects = () => true
    await one.set(device, '2')
    await drainFully(device, device.sender())
    const [refused] = await rejectedMutations(db, 1)
    expect(await one.set(device, '5')).toMatchObject({ ok: true })
    // From a screen that still shows the notice.
    await retryRejected(db, stamp, refused?.mutationId ?? '')
    expect(await rejectedMutations(db, 1)).toEqual([])
    server.rejects = () => false
    await drainFully(device, device.sender())
    const shown = (await readCart(db, 1, one.of.orderMethod)).cart
    expect([one.valueIn(shown), one.valueIn(server.cart(1, one.of.orderMethod))]).toEqual(['5', '5'])
    expect(await rejectedMutations(db, 1)).toEqual([])
  },
)

it.each(settings)('one %s that is refused when it is set anew already asks for no decision', async (_, one) => {
  const device = await openDevice()
  const { db, server } = device
  await one.begin(device)
  await device.sender().drain()
  await one.set(device, '2')
  server.faults.push('cut-before')
  await device.sender().drain()
  await one.set(device, '5')
  server.rejects = () => true
  await drainFully(device, device.sender())
  const left = await rejectedMutations(db, 1)
  expect(left).toHaveLength(1)
  server.rejects = () => false
  await retryRejected(db, device.stamp, left[0]?.mutationId ?? '')
  await drainFully(device, device.sender())
  expect(one.valueIn(server.cart(1, one.of.orderMethod))).toBe('5')
})

it('a name set twice before its cart was ordered asks for one decision', async () => {
  const device = await openDevice()
  const { db, server, stamp } = device
  await addTypedSubject(db, stamp, { ...prepay, typed: typed('Adda') })
  server.faults.push('cut-before')
  await device.sender().drain()
  await updateTypedSubject(db, stamp, { ...prepay, number: -1, typed: typed('Ada') })
  await markOrdered(db, stamp, { ...prepay, orderNumber: 'FP-00000001', order: null })
  const left = await rejectedMutations(db, 1)
  expect(left.map(({ recorded }) => recorded.mutation)).toMatchObject([{ firstName: 'Ada' }])
  expect(await typedSubjectByNumber(db, 1, -1)).toMatchObject({ firstName: 'Ada' })
})

it('an edit that was refused waits for the customer while the device tells its line once more by itself', async () => {
  const device = await openDevice()
  const { db, server, stamp } = device
  await addTo(device, prepay)
  await device.sender().drain()
  server.rejects = () => true
  await customiseLine(db, stamp, { ...prepay, lineId: await lineOf(device, prepay), content: texts('Bo') })
  await drainFully(device, device.sender())
  server.rejects = () => false
  const dataFields = [{ subjectId: null, name: 'Grade', value: '3', templateId: null, optionId: null }]
  await setSubjectFields(db, stamp, { ...prepay, subjectId: 7, dataFields })
  await drainFully(device, device.sender())
  const [refused] = await rejectedMutations(db, 1)
  expect(refused?.recorded.mutation).toMatchObject(texts('Bo'))
  await retryRejected(db, stamp, refused?.mutationId ?? '')
  await drainFully(device, device.sender())
  const [line] = server.cart(1, 'prepay').cartPackages
  expect(line?.cartPackageItems[0]?.textNodes[0]?.value).toBe('Bo')
  expect(line?.dataFields).toMatchObject([{ value: '3' }])
})
