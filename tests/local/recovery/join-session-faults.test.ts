import { describe, expect, it, vi } from 'vitest'
import { readDraft } from '#local/store/device-entries.ts'
import { unreachable } from '#local/transport/request.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { type ConnectionCut, openHandOverDevices } from './hand-over-devices.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const kinds = ['before', 'after', 'midway'] as const

/** Connections that drop at the first, second or third request, and some that drop again during the retries. */
const plans: ConnectionCut[][] = [
  ...kinds.flatMap((kind) => [0, 1, 2].map((successes) => [...Array<ConnectionCut>(successes).fill('none'), kind])),
  ['after', 'after'],
  ['midway', 'before', 'midway'],
]

describe.each(enginesFor(import.meta.filename))('a cart handed over on a bad connection on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const phones = await openHandOverDevices(database())
    const { deps, first } = phones
    const sessionKeyCount = async () => (await deps.db.selectFrom('session_keys').select('id').execute()).length
    const openHandOvers = async () =>
      (await deps.db.selectFrom('hand_overs').select('id').where('taken_by', 'is', null).execute()).length
    return { ...phones, sessionKeyCount, openHandOvers, expectedCart: (await first.view()).cart }
  }

  it('a handed-over cart arrives complete and once, wherever the connection drops, also after a reload', async () => {
    const { first, phone, jobId, sessionKeyCount, expectedCart } = await begin()
    const [line] = expectedCart.cartPackages
    const [item] = line?.cartPackageItems ?? []
    expect(item?.imageNodes).toMatchObject([{ cropDimensions: { width: 50 }, rotation: 90 }])
    expect(item?.textNodes).toMatchObject([{ value: 'Ada, second grade' }])
    for (const plan of plans) {
      const before = await sessionKeyCount()
      const token = await first.createHandOver()
      const recipient = phone()
      recipient.cuts.push(...plan)
      let result = await recipient.accept(token)
      for (let tries = 0; result.as === 'later' && tries < plan.length; tries += 1)
        result = await recipient.accept(null)
      expect([plan, result]).toEqual([plan, { as: 'taken', jobId }])
      expect((await recipient.view()).cart).toEqual(expectedCart)
      expect([plan, await sessionKeyCount()]).toEqual([plan, before + 1])
      expect(await readDraft(recipient.db, 'hand-over')).toBeUndefined()
      expect(await recipient.db.outbox.count()).toBe(0)
    }
    expect((await first.view()).cart).toEqual(expectedCart)
  })

  it('a device may reuse its own code after the next one was made, and no other device may', async () => {
    const { first, phone, jobId, expectedCart } = await begin()
    const token = await first.createHandOver()
    const recipient = phone()
    recipient.cuts.push('after')
    expect(await recipient.accept(token)).toMatchObject({ as: 'later' })
    const next = await first.createHandOver()
    expect(await phone().accept(token)).toEqual({ as: 'gone' })
    expect(await recipient.accept(null)).toEqual({ as: 'taken', jobId })
    const third = phone()
    expect(await third.accept(next)).toEqual({ as: 'taken', jobId })
    for (const device of [recipient, third]) expect((await device.view()).cart).toEqual(expectedCart)
  })

  it.each(kinds)(
    'a lost response (%s) makes the first device create another code, and only one is valid',
    async (kind) => {
      const { first, second, jobId, openHandOvers, expectedCart } = await begin()
      first.cuts.push(kind)
      expect(await first.requestHandOver()).toEqual(unreachable)
      const token = await first.createHandOver()
      expect(await openHandOvers()).toBe(1)
      expect(await second.accept(token)).toEqual({ as: 'taken', jobId })
      expect((await second.view()).cart).toEqual(expectedCart)
      expect(await openHandOvers()).toBe(0)
    },
  )
})
