import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { patchPrintedTexts } from '#contract/customer/order-image-choice.ts'
import { cartProblemMessages } from '#domain/cart/cart-rules.ts'
import type { PersonalizationChoice } from '#domain/cart/order-service-types.ts'
import { personalizationChoiceOf, personalizationProblem, personalizationText } from '#domain/cart/order-services.ts'
import { orderLockReason } from '#domain/orders/order-states.ts'
import { unprintableLetters, unprintableLettersMessage } from '#domain/printing/printable-letters.ts'
import type { Session } from '#server/access/sessions/sessions.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { recordOrderEvents } from '#server/webhooks/outbox/record-events.ts'
import { lockOrder } from '../store/move-order.ts'
import type { OrderKey } from '../store/sold-lines.ts'
import { readImageChoiceOrder } from './read-image-choice.ts'

type OrderLineRef = { key: OrderKey; session: Session; lineId: number }
type PersonalizationInput = Infer<(typeof patchPrintedTexts)['body']>
type PersonalizationAnswer = Infer<(typeof patchPrintedTexts)['answer']>

/** The options of name and year that every sold line allows. What the job offers now does not matter. */
const soldOptions = {
  allowRetouch: true,
  allowNameOnAllPrints: true,
  allowNameOnWallets: true,
  imageLevelService: false,
}

const findInvalidMessage = (choice: PersonalizationChoice): string | undefined => {
  const ruleProblem = personalizationProblem(choice, soldOptions)
  if (ruleProblem) return cartProblemMessages[ruleProblem]
  const unprintable = unprintableLetters(personalizationText(choice))
  return unprintable.length > 0 ? unprintableLettersMessage(unprintable) : undefined
}

/** Updates the printed name and year of a subject, by the same rules as `saveImageChoice` for the texts of a line. */
export const updatePersonalization = (
  deps: Deps,
  { key, session, lineId }: OrderLineRef,
  { version, ...changes }: PersonalizationInput,
): Promise<PersonalizationAnswer | Problem<'not-found' | 'refused' | 'conflict'>> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, orderId } = key
    await lockOrder(tx, key)
    const order = await readImageChoiceOrder(tx, key)
    const line = order?.personalizations.find(({ id }) => id === lineId)
    if (!order || !line) return problem('not-found')
    const lockedMessage = orderLockReason(order)
    if (lockedMessage) return problem('refused', lockedMessage)
    const currentChoice = personalizationChoiceOf(line.entry)
    const choice = { ...currentChoice, ...changes }
    const errorMessage = findInvalidMessage(choice)
    if (errorMessage) return problem('refused', errorMessage)
    if (isDeepStrictEqual(currentChoice, choice)) return { version: line.version }
    if (version !== undefined && version !== line.version) return problem('conflict')
    const now = deps.clock()
    const entry = JSON.stringify({ ...line.entry, ...changes })
    await sql`update order_lines set snapshot = jsonb_set(snapshot, '{service}', ${entry}::jsonb), version = version + 1, updated_at = ${now}
               where studio_id = ${studioId} and id = ${lineId}`.execute(tx)
    await tx
      .updateTable('orders')
      .set({ version: (eb) => eb('version', '+', 1), updated_at: now })
      .where('studio_id', '=', studioId)
      .where('id', '=', orderId)
      .execute()
    const changedTexts = [
      currentChoice.nameToPrint === choice.nameToPrint ? [] : 'name',
      currentChoice.yearToPrint === choice.yearToPrint ? [] : 'year',
    ].flat()
    const detail = { line: line.name, texts: changedTexts.join(', '), images: '', background: '' }
    const audit = {
      action: 'order.content-edited',
      entityId: order.orderNumber,
      detail,
      sessionId: session.id,
    } as const
    await recordAudit(tx, deps, { studioId, ...audit })
    await recordOrderEvents(tx, deps, studioId, [{ orderId, events: ['order.changed'] }])
    return { version: line.version + 1 }
  })
