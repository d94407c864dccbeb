import { sql } from 'kysely'
import type { CartPackageItem } from '#domain/cart/cart.ts'
import { shownImageId } from '#domain/cart/line-images.ts'
import { type DownloadKind, downloadDays, downloadKindOf } from '#domain/catalogue/downloads.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { OrderKey } from './order-key.ts'

type Line = { id: number; subject_id: number | null; content: CartPackageItem[] | null }
type WantedDownload = { lineId: number; kind: DownloadKind; subjectId: number | null; imageId: number | null }

/** The image of an item; null before one is chosen. */
const imageOf = ({ imageNodes: [node] }: CartPackageItem): number | null => (node ? shownImageId(node) : null)

const downloadsOf = ({ id, subject_id: subjectId, content }: Line): WantedDownload[] =>
  (content ?? []).flatMap((item) => {
    const kind = downloadKindOf(item.productCode)
    if (kind === null) return []
    const imageId = kind === 'single' ? imageOf(item) : null
    return kind === 'single' && imageId === null ? [] : [{ lineId: id, kind, subjectId, imageId }]
  })

const dayMs = 24 * 60 * 60 * 1000

export const alreadyDownloadedMessage =
  'Pictures of this were downloaded already. Ask the studio if something has to be changed'

/** Whether any image of an order was downloaded, after which it cannot be refunded online. */
export const isDownloaded = async (tx: Transaction, { studioId, orderId }: OrderKey): Promise<boolean> => {
  const { rows } = await sql`
    select from downloads where studio_id = ${studioId} and order_id = ${orderId} and downloaded_at is not null limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

type LineExchange = { lineId: number; items: CartPackageItem[]; greenScreenId: number | null }

/**
 * Whether an edited line replaces a digital image that was downloaded, or its background, which would give two images
 * for the price of one.
 */
export const replacesDownloaded = async (
  tx: Transaction,
  { studioId, orderId }: OrderKey,
  { lineId, items, greenScreenId }: LineExchange,
): Promise<boolean> => {
  const { rows: downloaded } = await sql<{ image_id: number; has_alpha: boolean; green_screen_id: number | null }>`
    select d.image_id, i.has_alpha, l.green_screen_id from downloads d
      join order_lines l on l.studio_id = d.studio_id and l.id = d.order_line_id
      join image_lookups i on i.studio_id = d.studio_id and i.id = d.image_id
     where d.studio_id = ${studioId} and d.order_id = ${orderId} and d.order_line_id = ${lineId} and d.kind = 'single'
       and d.downloaded_at is not null`.execute(tx)
  const expected = items.filter((item) => downloadKindOf(item.productCode) === 'single').map(imageOf)
  return downloaded.some(
    (one) => !expected.includes(one.image_id) || (one.has_alpha && one.green_screen_id !== greenScreenId),
  )
}

/** 128 random bits. */
const linkIdFrom = ({ randomBytes }: Deps): string => Buffer.from(randomBytes(16)).toString('base64url')

/**
 * Creates the download links of an order: one for each digital image chosen, and one for each "all images" product.
 * When run again it adds missing links and revokes those of replaced images. Cut-outs get their backgrounds in the
 * background. Returns how many were added. `isNotified`: whether the customer learns of a link from the current operation, so
 * that no email is needed.
 */
export const createDownloadLinks = async (
  tx: Transaction,
  deps: Deps,
  { studioId, orderId, isNotified }: OrderKey & { isNotified: (kind: DownloadKind) => boolean },
): Promise<number> => {
  const now = deps.clock()
  const lines = await tx
    .selectFrom('order_lines')
    .select(['id', 'subject_id', 'content', 'green_screen_id'])
    .where('studio_id', '=', studioId)
    .where('order_id', '=', orderId)
    .where('kind', '=', 'package')
    .execute()
  const existing = await tx
    .selectFrom('downloads')
    .select(['id', 'order_line_id', 'kind', 'image_id'])
    .where('studio_id', '=', studioId)
    .where('order_id', '=', orderId)
    .where('revoked_at', 'is', null)
    .execute()
  const expected = lines.flatMap((line) => downloadsOf(line as Line)) // the column holds what the cart's rules produced
  const hasBackground = lines.some((line) => line.green_screen_id !== null)
  if (expected.length > 0 && hasBackground) await deps.jobs.enqueue(tx, 'compose-downloads', { studioId, orderId })
  const isFor = (one: WantedDownload) => (link: (typeof existing)[number]) =>
    link.order_line_id === one.lineId && link.kind === one.kind && link.image_id === one.imageId
  const missing = expected.filter((one, at) => {
    const before = expected
      .slice(0, at)
      .some((other) => isFor(one)({ id: 0, order_line_id: other.lineId, kind: other.kind, image_id: other.imageId }))
    return !before && !existing.some(isFor(one))
  })
  const obsolete = existing.filter((link) => !expected.some((one) => isFor(one)(link)))
  for (const { id } of obsolete) {
    await sql`update downloads set revoked_at = ${now} where studio_id = ${studioId} and id = ${id}`.execute(tx)
  }
  if (missing.length === 0) return 0
  const expiresAt = new Date(now.getTime() + downloadDays * dayMs)
  const rows = missing.map(({ lineId, kind, subjectId, imageId }) => ({
    studio_id: studioId,
    link_id: linkIdFrom(deps),
    order_id: orderId,
    order_line_id: lineId,
    kind,
    subject_id: subjectId,
    image_id: imageId,
    expires_at: expiresAt,
    created_at: now,
    told_at: isNotified(kind) ? now : null,
  }))
  await tx.insertInto('downloads').values(rows).execute()
  const links = rows.map((row) => ({ link_id: row.link_id, studio_id: studioId }))
  await tx.insertInto('download_links').values(links).execute()
  return rows.length
}
