import { sql } from 'kysely'
import type { Package } from '#domain/catalogue/catalogue.ts'
import type { PackageDraft } from '#domain/catalogue/package-draft.ts'
import { toCents } from '#domain/pricing/money.ts'
import type { User } from '../access/tokens/access-token.ts'
import { type AuditEntry, recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { PackageSetKey } from './read-package-sets.ts'
import type { PackageKey } from './read-packages.ts'
import { withDraftIds } from './validate-package-draft.ts'

/** Inserts the next version of a package, which carts refer to. */
export const insertVersion = async (tx: Transaction, { clock }: Deps, version: PackageVersionInput): Promise<void> => {
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
type PackageVersionInput = { readonly studioId: number; readonly content: Package; readonly user: User }

type PackageInput = {
  readonly set: PackageSetKey
  readonly user: User
  readonly draft: PackageDraft
  readonly options: {
    offeredPrepay: boolean
    offeredGallery: boolean
    taxClass: string
    isRecommended?: boolean | undefined
  }
  /** Its position in the set; other packages do not move. */
  readonly position: number
}

/** Inserts a package with its first version into a locked set; returns its id. The caller has validated the draft. */
export const insertPackage = async (tx: Transaction, deps: Deps, input: PackageInput): Promise<number> => {
  const { set, user, draft, options, position } = input
  const { id } = await tx
    .insertInto('packages')
    .values({
      studio_id: set.studioId,
      package_set_id: set.packageSetId,
      position,
      offered_prepay: options.offeredPrepay,
      offered_gallery: options.offeredGallery,
      tax_class: options.taxClass,
      is_recommended: options.isRecommended ?? false,
      created_at: deps.clock(),
      updated_at: deps.clock(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const content = { ...(await withDraftIds(tx, { studioId: set.studioId, id, draft })), id, version: 1 }
  await insertVersion(tx, deps, { studioId: set.studioId, content, user })
  if (options.isRecommended) await recommendOnly(tx, { ...set, id })
  await auditPackage(tx, deps, { key: { ...set, id }, user, action: 'package.made', detail: { name: draft.name } })
  return id
}

/** Makes a package the only one of its set that the studio recommends. */
export const recommendOnly = async (tx: Transaction, { studioId, packageSetId, id }: PackageKey): Promise<void> => {
  await tx
    .updateTable('packages')
    .set(({ eb }) => ({ is_recommended: false, version: eb('version', '+', 1) }))
    .where('studio_id', '=', studioId)
    .where('package_set_id', '=', packageSetId)
    .where('id', '<>', id)
    .where('is_recommended', '=', true)
    .execute()
}

/** A position before or after all packages of a set. */
export const packagePosition = async (
  tx: Transaction,
  { studioId, packageSetId }: PackageSetKey,
  order: 'first' | 'last',
): Promise<number> => {
  const { rows } = await sql<{ first: number; last: number }>`
    select coalesce(min(position), 1) - 1 as first, coalesce(max(position), 0) + 1 as last
      from packages where studio_id = ${studioId} and package_set_id = ${packageSetId}`.execute(tx)
  return rows[0]?.[order] ?? 0
}

export type PackageAudit = {
  readonly key: PackageKey
  readonly user: User
  readonly action: AuditEntry['action']
  readonly detail: AuditEntry['detail']
}

/** Records a change of a package in the audit log. */
export const auditPackage = (tx: Transaction, deps: Deps, { key, user, action, detail }: PackageAudit): Promise<void> =>
  recordAudit(tx, deps, { studioId: key.studioId, action, entityId: String(key.id), detail, userId: user.id })
