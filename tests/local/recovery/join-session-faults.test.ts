import { describe, expect, it, vi } from 'vitest'
import { readDraft } from '#local/store/drafts.ts'
import { unreachable } from '#local/transport/request.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { type ConnectionCut, openHandOverDevices } from './hand-over-devices.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const kinds = ['before', 'after', 'midway'] as const

/** The line breaks at the first, second or third request, and again while that one is repeated. */
const plans: ConnectionCut[][] = [
  ...kinds.flatMap((kind) => [0, 1, 2].map((well) => [...Array<ConnectionCut>(well).fill('none'), kind])),
  ['after', 'after'],
  ['midway', 'before', 'midway'],
]

describe.each(enginesFor(import.meta.filename))('a cart handed over on a bad line on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const phones = await openHandOverDevices(database())
    const { deps, first } = phones
    const keys = async () => (await deps.db.selectFrom('session_keys').select('id').execute()).length
    const waiting = async () =>
      (await deps.db.selectFrom('hand_overs').select('id').where('taken_by', 'is', null).execute()).length
    return { ...phones, keys, waiting, whole: (await first.view()).cart }
  }

  it('arrives whole and once, wherever the line breaks, also after the page was opened anew', async () => {
    const { first, phone, jobId, keys, whole } = await begin()
    const [line] = whole.cartPackages
    const [item] = line?.cartPackageItems ?? []
    expect(item?.imageNodes).toMatchObject([{ cropDimensions: { width: 50 }, rotation: 90 }])
    expect(item?.textNodes).toMatchObject([{ value: 'Ada, second grade' }])
    for (const plan of plans) {
      const before = await keys()
      const token = await first.make()
      const taker = phone()
      taker.cuts.push(...plan)
      let taken = await taker.take(token)
      for (let tries = 0; taken.as === 'later' && tries < plan.length; tries += 1) taken = await taker.take(null)
      expect([plan, taken]).toEqual([plan, { as: 'taken', jobId }])
      expect((await taker.view()).cart).toEqual(whole)
      expect([plan, await keys()]).toEqual([plan, before + 1])
      expect(await readDraft(taker.db, 'hand-over')).toBeUndefined()
      expect(await taker.db.outbox.count()).toBe(0)
    }
    expect((await first.view()).cart).toEqual(whole)
  })

  it('is let in again by the same code though the next one was made meanwhile, and nobody else by it', async () => {
    const { first, phone, jobId, whole } = await begin()
    const token = await first.make()
    const taker = phone()
    taker.cuts.push('after')
    expect(await taker.take(token)).toMatchObject({ as: 'later' })
    const next = await first.make()
    expect(await phone().take(token)).toEqual({ as: 'gone' })
    expect(await taker.take(null)).toEqual({ as: 'taken', jobId })
    const third = phone()
    expect(await third.take(next)).toEqual({ as: 'taken', jobId })
    for (const one of [taker, third]) expect((await one.view()).cart).toEqual(whole)
  })

  it.each(kinds)('its code is made anew where the answer to the first (%s) is lost: one is good', async (kind) => {
    const { first, second, jobId, waiting, whole } = await begin()
    first.cuts.push(kind)
    expect(await first.tryToMake()).toEqual(unreachable)
    const token = await first.make()
    expect(await waiting()).toBe(1)
    expect(await second.take(token)).toEqual({ as: 'taken', jobId })
    expect((await second.view()).cart).toEqual(whole)
    expect(await waiting()).toBe(0)
  })
})
