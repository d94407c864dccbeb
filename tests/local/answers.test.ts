import { describe, expect, it } from 'vitest'
import { tellOf, toldOf } from '../../src/local/answers.ts'
import { readCart } from '../../src/local/cart.ts'
import { saveDraft } from '../../src/local/drafts.ts'
import { add, drainFully, gallery, openDevice } from './a-device.ts'

const ada = { jobId: 1, subjectId: 7 }
const grade = (value: string) => [{ subjectId: null, name: 'Grade', value, templateId: null, optionId: null }]

describe('what is told of the studio’s people', () => {
  it('is kept for their first package', async () => {
    const { db, stamp } = await openDevice()
    expect(await toldOf(db, ada)).toBeUndefined()
    await tellOf(db, stamp, { ...gallery, ...ada, dataFields: grade('3') })
    expect(await toldOf(db, ada)).toEqual(grade('3'))
    expect(await toldOf(db, { ...ada, subjectId: 8 })).toBeUndefined()
    expect(await db.outbox.count()).toBe(0)
  })

  it('goes to all of their packages in the cart, and nothing else of them changes', async () => {
    const device = await openDevice()
    await add(device)
    await add(device)
    const { db, stamp } = device
    const lines = async () => (await readCart(db, 1, 'gallery')).cart.cartPackages
    const before = await lines()
    await tellOf(db, stamp, { ...gallery, ...ada, dataFields: grade('4') })
    expect(await lines()).toEqual(before.map((line) => ({ ...line, dataFields: grade('4') })))
    await drainFully(device, device.sender())
    expect((await lines()).map(({ dataFields }) => dataFields[0]?.value)).toEqual(['4', '4'])
  })

  it('of an older build’s making counts for nothing', async () => {
    const { db } = await openDevice()
    await saveDraft(db, 'answers:1:7', { Grade: '3' })
    expect(await toldOf(db, ada)).toBeUndefined()
  })
})
