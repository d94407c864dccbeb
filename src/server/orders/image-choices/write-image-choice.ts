import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { patchOrderImageChoice } from '#contract/customer/order-image-choice.ts'
import type { CartPackage } from '#domain/cart/cart.ts'
import { findMissingFields } from '#domain/cart/completeness.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { recordOrderEvents } from '#server/webhooks/outbox/record-events.ts'
import { createDownloadLinks } from '../store/create-download-links.ts'
import type { OrderKey } from '../store/sold-lines.ts'
import type { ImageChoiceLine, ImageChoiceOrder } from './read-image-choice.ts'

export type ImageChoiceResult = Infer<(typeof patchOrderImageChoice)['answer']>

// Checked as a gallery order, because a prepay order counts as complete without images.
const lacksImages = (line: CartPackage): boolean =>
  findMissingFields(line, 'gallery').some(({ kind }) => kind === 'image')

const writeLine = async (
  tx: Transaction,
  { studioId, orderId }: OrderKey,
  { id, line, now }: { id: number; line: CartPackage; now: Date },
): Promise<boolean> => {
  await tx
    .updateTable('order_lines')
    .set(({ eb }) => ({
      content: JSON.stringify(line.cartPackageItems),
      snapshot: JSON.stringify(line.snapshot),
      green_screen_id: line.greenScreen?.id ?? null,
      needs_poses: lacksImages(line),
      version: eb('version', '+', 1),
      updated_at: now,
    }))
    .where('studio_id', '=', studioId)
    .where('id', '=', id)
    .execute()
  const { rows } = await sql<{ awaits_poses: boolean }>`
    update orders o set version = version + 1, updated_at = ${now},
           awaits_poses = exists (select from order_lines l where l.studio_id = o.studio_id and l.order_id = o.id and l.needs_poses)
     where o.studio_id = ${studioId} and o.id = ${orderId} returning awaits_poses`.execute(tx)
  return rows[0]?.awaits_poses ?? false
}

/** The names of changed nodes. Their values may be names and addresses, which do not belong in the audit log. */
const changesOf = (before: CartPackage, after: CartPackage): Record<'texts' | 'images' | 'background', string> => {
  const items = before.snapshot.package.items
  const [textNodes, imageNodes] = [items.flatMap((item) => item.textNodes), items.flatMap((item) => item.imageNodes)]
  const isChanged = (select: (line: CartPackage) => unknown): boolean =>
    !isDeepStrictEqual(select(before), select(after))
  const textOf = (id: number) => (line: CartPackage) =>
    line.cartPackageItems.flatMap((item) => item.textNodes).find((node) => node.packageItemTextNodeId === id)
  const imageOf = (id: number) => (line: CartPackage) =>
    line.cartPackageItems.flatMap((item) => item.imageNodes).find((node) => node.packageItemImageNodeId === id)
  const namesOf = (nodes: readonly { name: string }[]): string => nodes.map(({ name }) => name).join(', ')
  return {
    texts: namesOf(textNodes.filter(({ id }) => isChanged(textOf(id)))),
    images: namesOf(imageNodes.filter(({ id }) => isChanged(imageOf(id)))),
    background: isChanged((line) => line.greenScreen) ? 'changed' : '',
  }
}

/** Whether both lines result in the same prints. */
export const isUnchanged = (before: CartPackage, after: CartPackage): boolean =>
  isDeepStrictEqual([before.cartPackageItems, before.greenScreen], [after.cartPackageItems, after.greenScreen])

type ImageChoiceActor = { sessionId: number } | { userId: number }
type ImageChoiceWrite = {
  key: OrderKey
  by: ImageChoiceActor
  choiceLine: ImageChoiceLine
  line: CartPackage
  order: ImageChoiceOrder
}

/** Writes a changed line and the data that depend on it: whether the order awaits images, its downloads, and the audit entry. */
export const writeImageChoice = async (
  tx: Transaction,
  deps: Deps,
  { key, choiceLine, line, order, by }: ImageChoiceWrite,
): Promise<ImageChoiceResult> => {
  const { studioId, orderId } = key
  const now = deps.clock()
  const awaitsImages = await writeLine(tx, key, { id: choiceLine.id, line, now })
  const addedCount = await createDownloadLinks(tx, deps, { ...key, isNotified: () => true })
  const madeAt = now.toISOString()
  if (addedCount > 0) await deps.jobs.enqueue(tx, 'send-download-email', { studioId, orderId, madeAt })
  const detail = { line: line.snapshot.package.name, ...changesOf(choiceLine.line, line) }
  await recordAudit(tx, deps, { studioId, action: 'order.content-edited', entityId: order.orderNumber, detail, ...by })
  await recordOrderEvents(tx, deps, studioId, [{ orderId, events: ['order.changed'] }])
  return { needsImages: lacksImages(line), awaitsImages, version: choiceLine.version + 1 }
}
