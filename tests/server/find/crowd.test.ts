import { describe, expect, it } from 'vitest'
import { confirmSubject, redeemCode } from '../../../src/contract/customer-find.ts'
import { foundProof } from '../../../src/server/find/found-proof.ts'
import { countFailures } from '../../../src/server/http/guess-counts.ts'
import { enginesFor, freshDatabase } from '../../support/database.ts'
import { handClock, testApp, testDeps } from '../../support/server.ts'
import { smallEvent } from './small-event.ts'
import { visitor } from './visitor.ts'

describe.each(enginesFor(import.meta.filename))('one address on $name', (engine) => {
  const database = freshDatabase(engine)

  it('walks through no whole school under ever new sessions', async () => {
    const time = handClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const { spring, ada, zoe } = await smallEvent(deps)
    // So many people were confirmed from here in the last minutes: more than come together in one hall.
    const crowd = { kind: 'address', key: 'people 192.0.2.1' } as const
    const counted = { ...crowd, failures: 601, window_started_at: time.clock(), failed_at: time.clock() }
    await deps.db.insertInto('guess_counters').values(counted).execute()

    const parentAt = async (address: string) => {
      const parent = visitor(app, address)
      await parent.ask(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
      return async (subjectId: number): Promise<number> => {
        const before = time.clock().getTime()
        const { jobId } = spring
        const body = { subjectId, proof: foundProof(deps, { jobId, subjectId }) }
        const { status } = await parent.ask(confirmSubject, { params: { jobId }, body })
        expect(status).toBe(200)
        return time.clock().getTime() - before
      }
    }
    const first = await parentAt('192.0.2.1')
    expect(await first(ada)).toBeGreaterThanOrEqual(2_000)
    expect(await first(ada)).toBeLessThan(1_000)
    expect(await (await parentAt('192.0.2.1'))(zoe)).toBeGreaterThanOrEqual(2_000)
    expect(await (await parentAt('198.51.100.7'))(zoe)).toBeLessThan(1_000)
    // Once for each person, not for each time they are confirmed.
    expect(await countFailures(deps, [crowd])).toMatchObject({ address: 603 })
  })
})
