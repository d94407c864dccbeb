import { sql } from 'kysely'
import type { Package } from '#domain/catalogue/catalogue.ts'
import type { PackageDraft } from '#domain/catalogue/package-draft.ts'
import { toCents } from '#domain/pricing/money.ts'
import type { User } from '../access/tokens/access-token.ts'
import { type AuditNote, note } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { SetKey } from './read-package-sets.ts'
import type { PackageKey } from './read-packages.ts'
import { numbered } from './validate-package-draft.ts'

/** The next version of a package, as carts will hold it. */
export const insertVersion = async (tx: Transaction, { clock }: Deps, version: Version): Promise<void> => {
  const { studioId, content, user } = version
  await tx
    .insertInto('package_versions')
    .values({
      studio_id: studioId,
      package_id: content.id,
      version: content.version,
      name: content.name,
      retail_cost_cents: toCents(content.retailCost),
      addon_type: content.packageAddon.type,
      content: JSON.stringify(content),
      created_by: user.id,
      created_at: clock(),
    })
    .execute()
}
type Version = { readonly studioId: number; readonly content: Package; readonly user: User }

type Beginning = {
  readonly set: SetKey
  readonly user: User
  readonly draft: PackageDraft
  readonly sold: { offeredPrepay: boolean; offeredGallery: boolean; taxClass: string }
  /** Its place in the set; the others stay where they are. */
  readonly position: number
}

/** Writes a new package with its first version into a set that is held; gives its id. The draft was held against the rules. */
export const insertPackage = async (tx: Transaction, deps: Deps, begin: Beginning): Promise<number> => {
  const { set, user, draft, sold, position } = begin
  const { id } = await tx
    .insertInto('packages')
    .values({
      studio_id: set.studioId,
      package_set_id: set.packageSetId,
      position,
      offered_prepay: sold.offeredPrepay,
      offered_gallery: sold.offeredGallery,
      tax_class: sold.taxClass,
      created_at: deps.clock(),
      updated_at: deps.clock(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const content = { ...(await numbered(tx, { studioId: set.studioId, id, draft })), id, version: 1 }
  await insertVersion(tx, deps, { studioId: set.studioId, content, user })
  await tell(tx, deps, { key: { ...set, id }, user, action: 'package.made', detail: { name: draft.name } })
  return id
}

/** The place before all packages of a set, or after them. */
export const placeIn = async (
  tx: Transaction,
  { studioId, packageSetId }: SetKey,
  order: 'first' | 'last',
): Promise<number> => {
  const { rows } = await sql<{ first: number; last: number }>`
    select coalesce(min(position), 1) - 1 as first, coalesce(max(position), 0) + 1 as last
      from packages where studio_id = ${studioId} and package_set_id = ${packageSetId}`.execute(tx)
  return rows[0]?.[order] ?? 0
}

export type Telling = {
  readonly key: PackageKey
  readonly user: User
  readonly action: AuditNote['action']
  readonly detail: AuditNote['detail']
}

/** Notes in the audit trail what was done with a package. */
export const tell = (tx: Transaction, deps: Deps, { key, user, action, detail }: Telling): Promise<void> =>
  note(tx, deps, { studioId: key.studioId, action, entityId: String(key.id), detail, userId: user.id })
