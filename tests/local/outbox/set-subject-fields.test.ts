import { describe, expect, it } from 'vitest'
import { customiseLine, readCart } from '#local/cart.ts'
import { rejectedMutations, retryRejected } from '#local/outbox/rejected-mutations.ts'
import { setSubjectFields } from '#local/outbox/set-subject-fields.ts'
import { removeLine, undoRemoval } from '#local/outbox/undoable-removals.ts'
import { saveDraft } from '#local/store/device-entries.ts'
import { readSubjectFields } from '#local/store/typed-subjects.ts'
import { noContent } from '#tests/domain/cart/cart-fixtures.ts'
import { addTo, drainFully, openDevice, prepay } from '../device-fixture.ts'

const ada = { jobId: 1, subjectId: 7 }
const grade = (value: string) => [{ subjectId: null, name: 'Grade', value, templateId: null, optionId: null }]

describe('the fields of a listed subject', () => {
  it('are stored for its first package', async () => {
    const { db, stamp } = await openDevice()
    expect(await readSubjectFields(db, ada)).toBeUndefined()
    await setSubjectFields(db, stamp, { ...prepay, ...ada, dataFields: grade('3') })
    expect(await readSubjectFields(db, ada)).toEqual(grade('3'))
    expect(await readSubjectFields(db, { ...ada, subjectId: 8 })).toBeUndefined()
    expect(await db.outbox.count()).toBe(0)
  })

  it('apply to all packages of the subject in the cart, and change nothing else', async () => {
    const device = await openDevice()
    await addTo(device, prepay)
    await addTo(device, prepay)
    const { db, stamp } = device
    const lines = async () => (await readCart(db, 1, 'prepay')).cart.cartPackages
    const before = await lines()
    await setSubjectFields(db, stamp, { ...prepay, ...ada, dataFields: grade('4') })
    expect(await lines()).toEqual(before.map((line) => ({ ...line, dataFields: grade('4') })))
    await drainFully(device, device.sender())
    expect((await lines()).map(({ dataFields }) => dataFields[0]?.value)).toEqual(['4', '4'])
  })

  it.each([2, 1])('stay current when one of %i packages is restored', async (count) => {
    const device = await openDevice()
    const { db, stamp } = device
    const added = await addTo(device, prepay)
    if (count === 2) await addTo(device, prepay)
    await setSubjectFields(db, stamp, { ...prepay, ...ada, dataFields: grade('3') })
    const removed = await removeLine(db, stamp, { ...prepay, lineId: added.lineId })
    if (!removed.ok) throw new Error(removed.problem)
    await setSubjectFields(db, stamp, { ...prepay, ...ada, dataFields: grade('4') })
    await undoRemoval(db, stamp, { ...prepay, removed: removed.removed })
    const values = async () =>
      (await readCart(db, 1, 'prepay')).cart.cartPackages.map(({ dataFields }) => dataFields[0]?.value)
    expect(await values()).toEqual(Array(count).fill('4'))
    await drainFully(device, device.sender())
    expect(await values()).toEqual(Array(count).fill('4'))
  })

  it('stay current when a rejected package is retried with its changes', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    await addTo(device, prepay)
    await drainFully(device, device.sender())
    await setSubjectFields(db, stamp, { ...prepay, ...ada, dataFields: grade('3') })
    const { lineId } = await addTo(device, prepay)
    await customiseLine(db, stamp, { ...prepay, lineId, content: { ...noContent } })
    server.rejects = (mutation) => 'lineId' in mutation && mutation.lineId === lineId
    await drainFully(device, device.sender())
    await setSubjectFields(db, stamp, { ...prepay, ...ada, dataFields: grade('4') })
    server.rejects = () => false
    const [rejected] = await rejectedMutations(db, 1)
    if (!rejected) throw new Error('nothing was rejected')
    await retryRejected(db, stamp, rejected.mutationId)
    await drainFully(device, device.sender())
    const { cartPackages } = server.cart(1, 'prepay')
    expect(cartPackages.map(({ dataFields }) => dataFields[0]?.value)).toEqual(['4', '4'])
  })

  it('stay current when an edit that started earlier is saved', async () => {
    const device = await openDevice()
    const { db, stamp } = device
    const { lineId } = await addTo(device, prepay)
    const content = { ...noContent, dataFields: grade('3') }
    await setSubjectFields(db, stamp, { ...prepay, ...ada, dataFields: grade('4') })
    await customiseLine(db, stamp, { ...prepay, lineId, content })
    const [line] = (await readCart(db, 1, 'prepay')).cart.cartPackages
    expect(line?.dataFields).toEqual(grade('4'))
  })

  it('are ignored if an older build stored them', async () => {
    const { db } = await openDevice()
    await saveDraft(db, 'answers:1:7', { Grade: '3' })
    expect(await readSubjectFields(db, ada)).toBeUndefined()
  })
})
