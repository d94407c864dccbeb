/** A fault somebody might build into the engine: where a piece of source stands once, another stands in its place. */
export type Mutant = { name: string; file: string; replace: string; by: string }

/** The source with the fault in it; fails where the piece is not there, or more than once: then the table is to be put right. */
export const mutated = ({ name, file, replace, by }: Mutant, source: string): string => {
  const times = source.split(replace).length - 1
  if (times !== 1) throw new Error(`“${name}”: the piece of ${file} it replaces is there ${times} times`)
  return source.replace(replace, () => by)
}

const local = (file: string) => `src/local/${file}`

export const mutants: readonly Mutant[] = [
  {
    name: 'takes out of the outbox what is only about to be sent',
    file: local('outbox/sync-batch.ts'),
    replace: `      .modify({ state: 'sent' })
    await db.sending.put({ ...sending, inFlight: true })`,
    by: `      .delete()
    await db.sending.put({ ...sending, inFlight: true })`,
  },
  {
    name: 'keeps the lock while it waits',
    file: local('transport/send-loop.ts'),
    replace: 'const outcome = await locks.request(lock, () => withDatabaseRetry(db, () => queue.sendNext()))',
    by: `const outcome = await locks.request(lock, async () => {
      const once = await withDatabaseRetry(db, () => queue.sendNext())
      const next = await queue.nextDue()
      const wait = next === null ? 0 : next - clock()
      if (wait > 0) await new Promise<void>((resolve) => void timers.after(wait, resolve))
      return once
    })`,
  },
  {
    name: 'lets everybody send at once',
    file: local('transport/send-loop.ts'),
    replace: 'const outcome = await locks.request(lock, () => withDatabaseRetry(db, () => queue.sendNext()))',
    by: 'const outcome = await withDatabaseRetry(db, () => queue.sendNext()); void lock',
  },
  {
    name: 'takes an older cart over a newer one',
    file: local('outbox/apply-sync-result.ts'),
    replace: 'return found.id !== kept.cart.id || found.version >= kept.cart.version',
    by: 'return found.id !== kept.cart.id || found.version <= kept.cart.version',
  },
  {
    name: 'settles without taking the cart that contains it',
    file: local('outbox/apply-sync-result.ts'),
    replace: 'if (!isOther && supersedes(answer.cart, kept))',
    by: 'if (!isOther && supersedes(answer.cart, kept) && (await outboxRowsOf(db, key)).length === 0)',
  },
  {
    name: 'edits what was sent',
    file: 'src/domain/cart/coalesce-mutations.ts',
    replace: "const unsent = queue.filter(({ state }) => state === 'new').map(({ recorded }) => recorded)",
    by: "const unsent = queue.filter(({ state }) => state !== 'refused').map(({ recorded }) => recorded)",
  },
  {
    name: 'gives a new id to what goes again',
    file: local('transport/sender.ts'),
    replace: 'const mutations = sent.rows.map((row) => row.recorded.mutation)',
    by: 'const mutations = sent.rows.map((row) => ({ ...row.recorded.mutation, id: stamp.newId() }))',
  },
  {
    name: 'sends the newest first',
    file: local('outbox/sync-batch.ts'),
    replace: 'firstOf(due.rows, batchLimitOf(sending, maxMutationsPerSync))',
    by: 'firstOf([...due.rows].reverse(), batchLimitOf(sending, maxMutationsPerSync))',
  },
  {
    name: 'drops what was refused without a word',
    file: local('outbox/supersede.ts'),
    replace: "else await db.outbox.update(row.seq, { state: 'refused', refusal })",
    by: 'else await db.outbox.delete(row.seq)',
  },
  {
    name: 'takes a server out of order for one that is done',
    file: local('transport/sender.ts'),
    replace: 'if (rescue) await rescue.bisectAfterServerError(parts, sent)',
    by: 'if (rescue) await parts.db.outbox.bulkDelete(sent.rows.map(({ seq }) => seq))',
  },
  {
    name: 'does not send a cart again that the server lost',
    file: local('outbox/apply-sync-result.ts'),
    replace: 'kept.id !== null && found.id !== kept.id &&',
    by: 'kept.id === -1 && found.id !== kept.id &&',
  },
  {
    name: 'sends a lost cart again without what waited',
    file: local('recovery/requeue-lost-cart.ts'),
    replace: '[...linesSent, ...inPlace, ...asWanted]',
    by: '[...linesSent]',
  },
  {
    name: 'waits for a moment that a clock moved back has put far away',
    file: local('outbox/sync-batch.ts'),
    replace: 'now < waitsSince ? now : nextAt',
    by: 'now < waitsSince ? nextAt : nextAt',
  },
]
