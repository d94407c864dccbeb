import { expect, it } from 'vitest'
import type { Cart } from '#domain/cart/cart.ts'
import { customiseLine, readCart } from '#local/cart.ts'
import { markOrdered } from '#local/checkout.ts'
import { addTypedSubject, updateTypedSubject } from '#local/outbox/edit-typed-subject.ts'
import { rejectedMutations, retryRejected } from '#local/outbox/rejected-mutations.ts'
import { chooseYearBookPose, setOrderService } from '#local/outbox/set-order-service.ts'
import { setSubjectFields } from '#local/outbox/set-subject-fields.ts'
import type { CartKey } from '#local/store/rows.ts'
import { typedSubjectByNumber } from '#local/store/typed-subjects.ts'
import { addLine } from '#support/device/add-line.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { noContent, snapshotOf, textChoice } from '#tests/domain/cart/cart-fixtures.ts'
import { nameAndYear, nameService, serviceSnapshotOf } from '#tests/domain/cart/order-service-fixtures.ts'
import { add, addTo, type Device, drainFully, gallery, openDevice, portrait, prepay } from '../device-fixture.ts'

const ada = { subjectId: 7, personId: null, imageLookupId: null }

/** A value that a customer sets as a whole, repeatedly. */
type Setting = {
  key: CartKey
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
      key: gallery,
      begin: add,
      set: async (device, value) =>
        setQuantity(device.db, device.stamp, { ...gallery, lineId: await lineOf(device), quantity: Number(value) }),
      valueIn: ({ cartPackages: [line] }) => `${line?.quantity}`,
    },
  ],
  [
    'edit of a line',
    {
      key: gallery,
      begin: add,
      set: async (device, value) =>
        customiseLine(device.db, device.stamp, { ...gallery, lineId: await lineOf(device), content: texts(value) }),
      valueIn: ({ cartPackages: [line] }) => line?.cartPackageItems[0]?.textNodes[0]?.value,
    },
  ],
  [
    'name of a subject',
    {
      key: prepay,
      begin: async ({ db, stamp }) => {
        await addTypedSubject(db, stamp, { ...prepay, typed: typed('Bo') })
        const personId = (await typedSubjectByNumber(db, 1, -1))?.personId ?? null
        const line = { subjectId: null, personId, snapshot: snapshotOf(portrait), quantity: 1, content: noContent }
        await addLine(db, stamp, { ...prepay, ...line })
      },
      set: ({ db, stamp }, value) => updateTypedSubject(db, stamp, { ...prepay, number: -1, typed: typed(value) }),
      valueIn: ({ subjects: [subject] }) => subject?.firstName,
    },
  ],
  [
    'service',
    {
      key: gallery,
      begin: add,
      set: ({ db, stamp }, value) => {
        const personalization = nameAndYear(value)
        return setOrderService(db, stamp, {
          ...gallery,
          target: ada,
          snapshot: serviceSnapshotOf(nameService),
          personalization,
        })
      },
      valueIn: ({
        cartOrderServicesDetails: {
          personalizations: [personalization],
        },
      }) => personalization?.nameToPrint,
    },
  ],
  [
    'pose',
    {
      key: gallery,
      begin: async () => undefined,
      set: ({ db, stamp }, value) =>
        chooseYearBookPose(db, stamp, { ...gallery, subjectId: 7, imageId: Number(value) }),
      valueIn: ({ yearBookPoses: [pose] }) => `${pose?.imageId}`,
    },
  ],
]

it.each(settings)(
  'a rejected %s needs no decision once it is set again, and never replaces the new value',
  async (_, setting) => {
    const device = await openDevice()
    const { db, stamp, server } = device
    await setting.begin(device)
    await device.sender().drain()
    server.rejects = () => true
    await setting.set(device, '2')
    await drainFully(device, device.sender())
    const [rejected] = await rejectedMutations(db, 1)
    expect(await setting.set(device, '5')).toMatchObject({ ok: true })
    // A screen that still shows the notice retries it.
    await retryRejected(db, stamp, rejected?.mutationId ?? '')
    expect(await rejectedMutations(db, 1)).toEqual([])
    server.rejects = () => false
    await drainFully(device, device.sender())
    const visibleCart = (await readCart(db, 1, setting.key.orderMethod)).cart
    expect([setting.valueIn(visibleCart), setting.valueIn(server.cart(1, setting.key.orderMethod))]).toEqual(['5', '5'])
    expect(await rejectedMutations(db, 1)).toEqual([])
  },
)

it.each(settings)(
  'if both values of a %s that was set twice are rejected, only the last one needs a decision',
  async (_, setting) => {
    const device = await openDevice()
    const { db, server } = device
    await setting.begin(device)
    await device.sender().drain()
    await setting.set(device, '2')
    server.faults.push('cut-before')
    await device.sender().drain()
    await setting.set(device, '5')
    server.rejects = () => true
    await drainFully(device, device.sender())
    const rejected = await rejectedMutations(db, 1)
    expect(rejected).toHaveLength(1)
    server.rejects = () => false
    await retryRejected(db, device.stamp, rejected[0]?.mutationId ?? '')
    await drainFully(device, device.sender())
    expect(setting.valueIn(server.cart(1, setting.key.orderMethod))).toBe('5')
  },
)

it('a name set twice before its cart was ordered needs one decision', async () => {
  const device = await openDevice()
  const { db, server, stamp } = device
  await addTypedSubject(db, stamp, { ...prepay, typed: typed('Adda') })
  server.faults.push('cut-before')
  await device.sender().drain()
  await updateTypedSubject(db, stamp, { ...prepay, number: -1, typed: typed('Ada') })
  await markOrdered(db, stamp, { ...prepay, orderNumber: 'FP-00000001', order: null })
  const rejected = await rejectedMutations(db, 1)
  expect(rejected.map(({ recorded }) => recorded.mutation)).toMatchObject([{ firstName: 'Ada' }])
  expect(await typedSubjectByNumber(db, 1, -1)).toMatchObject({ firstName: 'Ada' })
})

it('a rejected edit still needs a decision after a change of its subject’s fields, and a retry keeps both', async () => {
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
  const [rejected] = await rejectedMutations(db, 1)
  expect(rejected?.recorded.mutation).toMatchObject(texts('Bo'))
  await retryRejected(db, stamp, rejected?.mutationId ?? '')
  await drainFully(device, device.sender())
  const [line] = server.cart(1, 'prepay').cartPackages
  expect(line?.cartPackageItems[0]?.textNodes[0]?.value).toBe('Bo')
  expect(line?.dataFields).toMatchObject([{ value: '3' }])
})
