import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { patchPrintedTexts } from '#contract/customer/order-image-choice.ts'
import { cartProblemMessages } from '#domain/cart/cart-rules.ts'
import type { PersonalizationChoice } from '#domain/cart/order-service-types.ts'
import { personalizationChoiceOf, personalizationProblem, personalizationText } from '#domain/cart/order-services.ts'
import { orderLockReason } from '#domain/orders/order-states.ts'
import { unprintableLetters } from '#domain/printing/printable-letters.ts'
import type { Session } from '#server/access/sessions/sessions.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { unprintableLettersMessage } from '#server/carts/store/text-messages.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { lockOrder } from '../store/move-order.ts'
import type { OrderKey } from '../store/order-key.ts'
import { readImageChoiceOrder } from './read-image-choice.ts'

type OrderLineRef = { key: OrderKey; session: Session; lineId: number }
type PersonalizationInput = Infer<(typeof patchPrintedTexts)['body']>
type PersonalizationAnswer = Infer<(typeof patchPrintedTexts)['answer']>

/** Which prints carry it was sold, whatever the job offers now. */
const asSold = { allowRetouch: true, allowNameOnAllPrints: true, allowNameOnWallets: true, imageLevelService: false }

const invalidMessage = (choice: PersonalizationChoice): string | undefined => {
  const invalid = personalizationProblem(choice, asSold)
  if (invalid) return cartProblemMessages[invalid]
  const unprintable = unprintableLetters(personalizationText(choice))
  return unprintable.length > 0 ? unprintableLettersMessage(unprintable) : undefined
}

/** Updates the printed name and year of a subject, as `saveImageChoice` does for the texts of a line. */
export const updatePersonalization = (
  deps: Deps,
  { key, session, lineId }: OrderLineRef,
  { version, ...changes }: PersonalizationInput,
): Promise<PersonalizationAnswer | Problem<'not-found' | 'refused' | 'conflict'>> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, orderId } = key
    await lockOrder(tx, key)
    const order = await readImageChoiceOrder(tx, key)
    const line = order?.words.find(({ id }) => id === lineId)
    if (!order || !line) return problem('not-found')
    const lockedMessage = orderLockReason(order)
    if (lockedMessage) return problem('refused', lockedMessage)
    const before = personalizationChoiceOf(line.entry)
    const choice = { ...before, ...changes }
    const invalid = invalidMessage(choice)
    if (invalid) return problem('refused', invalid)
    if (isDeepStrictEqual(before, choice)) return { version: line.version }
    if (version !== undefined && version !== line.version) return problem('conflict')
    const now = deps.clock()
    const entry = JSON.stringify({ ...line.entry, ...changes })
    await sql`update order_lines set snapshot = jsonb_set(snapshot, '{service}', ${entry}::jsonb), version = version + 1, updated_at = ${now}
               where studio_id = ${studioId} and id = ${lineId}`.execute(tx)
    await sql`update orders set version = version + 1, updated_at = ${now}
               where studio_id = ${studioId} and id = ${orderId}`.execute(tx)
    const texts = [
      before.nameToPrint === choice.nameToPrint ? [] : 'name',
      before.yearToPrint === choice.yearToPrint ? [] : 'year',
    ].flat()
    const detail = { line: line.name, texts: texts.join(', '), pictures: '', background: '' }
    const audit = { action: 'order.put-right', entityId: order.orderNumber, detail, sessionId: session.id } as const
    await recordAudit(tx, deps, { studioId, ...audit })
    return { version: line.version + 1 }
  })
