import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { putPackage, RemovalOutcome } from '#contract/studio/package-sets.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import type { PackageDraft } from '#domain/catalogue/package-draft.ts'
import type { User } from '../access/tokens/access-token.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { isStale, type Problem, problem } from '../http/problem.ts'
import { auditPackage, insertVersion, type PackageAudit, recommendOnly } from './insert-package.ts'
import { isInUse, type PackageKey } from './read-packages.ts'
import { draftOf, draftProblem, withDraftIds } from './validate-package-draft.ts'
import { archivedAt, lockPackageSet } from './write-package-set.ts'

type ReplacementProblem = Problem<'not-found' | 'conflict' | 'refused'>

type LockedPackage = { version: number; current_version: number; archived_at: Date | null; content: Package }

const lockPackage = async (
  tx: Transaction,
  { studioId, packageSetId, id }: PackageKey,
): Promise<LockedPackage | undefined> => {
  const { rows } = await sql<LockedPackage>`
    select p.version, p.current_version, p.archived_at,
           v.content || jsonb_build_object('id', p.id, 'version', v.version) as content
      from packages p
      join package_versions v on v.studio_id = p.studio_id and v.package_id = p.id and v.version = p.current_version
     where p.studio_id = ${studioId} and p.package_set_id = ${packageSetId} and p.id = ${id} for update of p`.execute(
    tx,
  )
  return rows[0]
}

/** The problem if an add-on refers to a package, which then must stay a standard package and must not be archived. */
const addOnProblem = async (tx: Transaction, { studioId, packageSetId, id }: PackageKey) => {
  const { rows } = await sql<{ name: string }>`
    select v.name from packages p
      join package_versions v on v.studio_id = p.studio_id and v.package_id = p.id and v.version = p.current_version
     where p.studio_id = ${studioId} and p.package_set_id = ${packageSetId} and p.archived_at is null
       and v.content -> 'packageAddon' ->> 'packageId' = ${String(id)} order by p.position, p.id limit 1`.execute(tx)
  const [addOn] = rows
  return addOn && problem('refused', `“${addOn.name}” goes with this package. Change that one first`)
}

type PackageReplacement = {
  readonly key: PackageKey
  readonly user: User
  readonly body: Infer<(typeof putPackage)['body']>
}

/**
 * Replaces a package. Carts refer to a version, so changed content becomes the next version, which customers are asked to accept. Sales
 * options are not part of a version.
 */
export const replacePackage = (
  deps: Deps,
  { key, user, body }: PackageReplacement,
): Promise<undefined | ReplacementProblem> =>
  inTransaction(deps.db, async (tx) => {
    const set = await lockPackageSet(tx, key)
    const current = set && (await lockPackage(tx, key))
    if (!set || !current) return problem('not-found')
    if (isStale(current, body.version)) return problem('conflict')
    const newArchivedAt = archivedAt(current.archived_at, body.isArchived, deps.clock())
    const draft = draftOf(body)
    const invalid = await draftProblem(tx, { set: key, draft, before: current.content })
    if (invalid) return invalid
    const addOnRejection =
      newArchivedAt || draft.packageAddon.type !== 'standard' ? await addOnProblem(tx, key) : undefined
    if (addOnRejection) return addOnRejection
    const { studioId, id } = key
    const content = { ...(await withDraftIds(tx, { studioId, id, draft })), id, version: current.current_version }
    const isUnchanged = isDeepStrictEqual(content, current.content)
    const version = isUnchanged ? current.current_version : current.current_version + 1
    if (!isUnchanged) await insertVersion(tx, deps, { studioId, content: { ...content, version }, user })
    await tx
      .updateTable('packages')
      .set(({ eb }) => ({
        current_version: version,
        offered_prepay: body.offeredPrepay,
        offered_gallery: body.offeredGallery,
        tax_class: body.taxClass,
        ...(body.isRecommended !== undefined && { is_recommended: body.isRecommended }),
        archived_at: newArchivedAt,
        updated_at: deps.clock(),
        version: eb('version', '+', 1),
      }))
      .where('studio_id', '=', studioId)
      .where('id', '=', id)
      .execute()
    if (body.isRecommended) await recommendOnly(tx, key)
    await auditPackage(tx, deps, { key, user, ...changeOf({ before: current, newArchivedAt, version, draft }) })
    return undefined
  })

type PackageChange = { before: LockedPackage; newArchivedAt: Date | null; version: number; draft: PackageDraft }

const changeOf = ({
  before,
  newArchivedAt,
  version,
  draft: { name },
}: PackageChange): Pick<PackageAudit, 'action' | 'detail'> => {
  if ((newArchivedAt === null) === (before.archived_at === null))
    return { action: 'package.changed', detail: { name, version } }
  return { action: newArchivedAt ? 'package.archived' : 'package.restored', detail: { name, version } }
}

/** Deletes a package, or archives it if it was ever added to a cart or sold. */
export const removePackage = (
  deps: Deps,
  { key, user }: { key: PackageKey; user: User },
): Promise<Infer<typeof RemovalOutcome> | ReplacementProblem> =>
  inTransaction(deps.db, async (tx) => {
    const current = (await lockPackageSet(tx, key)) && (await lockPackage(tx, key))
    if (!current) return problem('not-found')
    const addOnRejection = await addOnProblem(tx, key)
    if (addOnRejection) return addOnRejection
    const { studioId, id } = key
    const { rows } = await sql<{ used: boolean }>`
      select ${isInUse} as used from packages p where p.studio_id = ${studioId} and p.id = ${id}`.execute(tx)
    const outcome = rows[0]?.used ? 'archived' : 'removed'
    if (outcome === 'removed') {
      await tx.deleteFrom('packages').where('studio_id', '=', studioId).where('id', '=', id).execute()
    } else {
      await tx
        .updateTable('packages')
        .set(({ eb }) => ({
          archived_at: current.archived_at ?? deps.clock(),
          updated_at: deps.clock(),
          version: eb('version', '+', 1),
        }))
        .where('studio_id', '=', studioId)
        .where('id', '=', id)
        .execute()
    }
    await auditPackage(tx, deps, { key, user, action: `package.${outcome}`, detail: { name: current.content.name } })
    return { outcome }
  })
