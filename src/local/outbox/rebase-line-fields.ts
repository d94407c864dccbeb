import type { CartPackage, LineSnapshot } from '#domain/cart/cart.ts'
import { lineSnapshot, type RecordedMutation, type SubjectKey } from '#domain/cart/mutation.ts'
import { isSameSubject } from '#domain/cart/order-services.ts'
import { refreshTexts } from '#domain/catalogue/refresh-autofill.ts'
import { readConfirmedCart } from '../store/confirmed-cart.ts'
import type { LocalDatabase } from '../store/database.ts'
import type { CartKey } from '../store/rows.ts'
import { readSubjectFields, typedSubjectsOf } from '../store/typed-subjects.ts'
import { outboxRowsOf, replayRows } from './outbox-rows.ts'

type RebasedLine = SubjectKey & { snapshot: LineSnapshot | null }

/**
 * Rebases line mutations onto the current fields of their subjects, so that a retried line does not bring back older
 * values. Fields belong to the subject, and texts that were filled in from a typed subject follow it.
 */
export const rebaseLineFields = (
  db: LocalDatabase,
  key: CartKey,
  mutations: readonly RecordedMutation[],
): Promise<RecordedMutation[]> =>
  db.transaction('r', [db.carts, db.outbox, db.people, db.drafts], async () => {
    const { cartPackages } = replayRows(await readConfirmedCart(db, key), await outboxRowsOf(db, key)).cart
    const people = await typedSubjectsOf(db, key.jobId)
    const lines = new Map<string, RebasedLine>(cartPackages.map((line) => [line.lineId, line]))
    for (const { mutation, snapshot } of mutations)
      if (mutation.do === 'line.add') lines.set(mutation.lineId, { ...mutation, snapshot: lineSnapshot(snapshot) })
    return await Promise.all(
      mutations.map((recorded) => rebaseMutation(db, recorded, { jobId: key.jobId, cartPackages, people, lines })),
    )
  })

type RebaseContext = {
  jobId: number
  cartPackages: readonly CartPackage[]
  people: Awaited<ReturnType<typeof typedSubjectsOf>>
  lines: ReadonlyMap<string, RebasedLine>
}

const rebaseMutation = async (
  db: LocalDatabase,
  recorded: RecordedMutation,
  context: RebaseContext,
): Promise<RecordedMutation> => {
  const { mutation, snapshot } = recorded
  if (mutation.do !== 'line.add' && mutation.do !== 'line.customise') return recorded
  const line = context.lines.get(mutation.lineId)
  if (!line) return recorded
  const typedSubject =
    line.personId === null ? undefined : context.people.find(({ personId }) => personId === line.personId)
  const fieldSource = context.cartPackages.find((cartLine) => isSameSubject(cartLine, line)) ?? typedSubject
  const { subjectId } = line
  const storedFields =
    fieldSource || subjectId === null
      ? fieldSource
      : { dataFields: await readSubjectFields(db, { ...context, subjectId }) }
  const dataFields = storedFields?.dataFields ?? mutation.dataFields
  if (!typedSubject) return { mutation: { ...mutation, dataFields }, snapshot }
  const { firstName, lastName, dataFields: fields } = typedSubject
  const textNodes = line.snapshot
    ? refreshTexts(line.snapshot.package, mutation.textNodes, { firstName, lastName, fields })
    : mutation.textNodes
  const ownSnapshot = lineSnapshot(snapshot)
  return {
    mutation: { ...mutation, dataFields, textNodes },
    snapshot: ownSnapshot && { ...ownSnapshot, subject: { ...ownSnapshot.subject, firstName, lastName } },
  }
}
