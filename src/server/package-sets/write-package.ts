import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { deletePackage, postPackage, putPackage, Removal } from '../../contract/studio/package-sets.ts'
import type { Package } from '../../domain/catalogue.ts'
import { toCents } from '../../domain/money.ts'
import type { PackageDraft } from '../../domain/package-draft.ts'
import { type AuditNote, note } from '../audit/note.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import type { User } from '../http/access-token.ts'
import { type Problem, problem } from '../http/problem.ts'
import { draftOf, numbered, wrongWith } from './hold-draft.ts'
import { readPackageStart } from './products.ts'
import { isSold, type PackageKey } from './read-packages.ts'
import type { SetKey } from './read-sets.ts'
import { archivedAt, lockSet, noRoomIn } from './write-set.ts'

type Refused = Problem<(typeof deletePackage)['problems'][number]>

/** The next version of a package, as carts will hold it. */
const insertVersion = async (tx: Transaction, { clock }: Deps, version: Version): Promise<void> => {
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

type Telling = {
  readonly key: PackageKey
  readonly user: User
  readonly action: AuditNote['action']
  readonly detail: AuditNote['detail']
}

const tell = (tx: Transaction, deps: Deps, { key, user, action, detail }: Telling): Promise<void> =>
  note(tx, deps, { studioId: key.studioId, action, entityId: String(key.id), detail, userId: user.id })

type Making = { readonly set: SetKey; readonly user: User; readonly body: Infer<(typeof postPackage)['body']> }

/** Makes a package in a set; what is not said of it is as the studio's package preferences say. Gives its id. */
export const makePackage = (deps: Deps, { set, user, body }: Making): Promise<number | Refused> =>
  inTransaction(deps.db, async (tx) => {
    const held = await lockSet(tx, set)
    const start = held && (await readPackageStart(tx, set.studioId))
    if (!held || !start) return problem('not-found')
    const draft = draftOf(body)
    const wrong = noRoomIn(held) ?? (await wrongWith(tx, { set, draft }))
    if (wrong) return wrong
    const { offeredPrepay, offeredGallery, taxClass } = { ...start, ...given(body) }
    const sold = { offeredPrepay, offeredGallery, taxClass }
    const position = await placeIn(tx, set, start.order)
    return await insertPackage(tx, deps, { set, user, draft, sold, position })
  })

/** What a body says of how a package is sold, without what it leaves out. */
const given = ({ offeredPrepay, offeredGallery, taxClass }: Making['body']) => ({
  ...(offeredPrepay !== undefined && { offeredPrepay }),
  ...(offeredGallery !== undefined && { offeredGallery }),
  ...(taxClass !== undefined && { taxClass }),
})

type Held = { version: number; current_version: number; archived_at: Date | null; content: Package }

const lockPackage = async (tx: Transaction, { studioId, packageSetId, id }: PackageKey): Promise<Held | undefined> => {
  const { rows } = await sql<Held>`
    select p.version, p.current_version, p.archived_at,
           v.content || jsonb_build_object('id', p.id, 'version', v.version) as content
      from packages p
      join package_versions v on v.studio_id = p.studio_id and v.package_id = p.id and v.version = p.current_version
     where p.studio_id = ${studioId} and p.package_set_id = ${packageSetId} and p.id = ${id} for update of p`.execute(
    tx,
  )
  return rows[0]
}

/** Why a package must stay a standard one on offer: an add-on goes with it. */
const neededBy = async (tx: Transaction, { studioId, packageSetId, id }: PackageKey) => {
  const { rows } = await sql<{ name: string }>`
    select v.name from packages p
      join package_versions v on v.studio_id = p.studio_id and v.package_id = p.id and v.version = p.current_version
     where p.studio_id = ${studioId} and p.package_set_id = ${packageSetId} and p.archived_at is null
       and v.content -> 'packageAddon' ->> 'packageId' = ${String(id)} order by p.position, p.id limit 1`.execute(tx)
  const [needing] = rows
  return needing && problem('refused', `“${needing.name}” goes with this package. Change that one first`)
}

type Replacing = { readonly key: PackageKey; readonly user: User; readonly body: Infer<(typeof putPackage)['body']> }

/**
 * Replaces a package. What carts hold is a version of it, and stays: a changed content is the next version, which customers are asked to
 * accept; how it is sold is not part of one.
 */
export const replacePackage = (deps: Deps, { key, user, body }: Replacing): Promise<undefined | Refused> =>
  inTransaction(deps.db, async (tx) => {
    const set = await lockSet(tx, key)
    const before = set && (await lockPackage(tx, key))
    if (!set || !before) return problem('not-found')
    if (before.version !== body.version) return problem('conflict')
    const archived = archivedAt(before.archived_at, body.isArchived, deps.clock())
    const draft = draftOf(body)
    const wrong = await wrongWith(tx, { set: key, draft, before: before.content })
    if (wrong) return wrong
    const needed = archived || draft.packageAddon.type !== 'standard' ? await neededBy(tx, key) : undefined
    if (needed) return needed
    const { studioId, id } = key
    const content = { ...(await numbered(tx, { studioId, id, draft })), id, version: before.current_version }
    const isSame = isDeepStrictEqual(content, before.content)
    const version = isSame ? before.current_version : before.current_version + 1
    if (!isSame) await insertVersion(tx, deps, { studioId, content: { ...content, version }, user })
    await tx
      .updateTable('packages')
      .set(({ eb }) => ({
        current_version: version,
        offered_prepay: body.offeredPrepay,
        offered_gallery: body.offeredGallery,
        tax_class: body.taxClass,
        archived_at: archived,
        updated_at: deps.clock(),
        version: eb('version', '+', 1),
      }))
      .where('studio_id', '=', studioId)
      .where('id', '=', id)
      .execute()
    await tell(tx, deps, { key, user, ...changeOf({ before, archived, version, draft }) })
    return undefined
  })

type Changed = { before: Held; archived: Date | null; version: number; draft: PackageDraft }

const changeOf = ({ before, archived, version, draft: { name } }: Changed): Pick<Telling, 'action' | 'detail'> => {
  if ((archived === null) === (before.archived_at === null))
    return { action: 'package.changed', detail: { name, version } }
  return { action: archived ? 'package.archived' : 'package.restored', detail: { name, version } }
}

/** Takes a package away; into the archive, where something of it was put into a cart or sold. */
export const removePackage = (
  deps: Deps,
  { key, user }: { key: PackageKey; user: User },
): Promise<Infer<typeof Removal> | Refused> =>
  inTransaction(deps.db, async (tx) => {
    const before = (await lockSet(tx, key)) && (await lockPackage(tx, key))
    if (!before) return problem('not-found')
    const needed = await neededBy(tx, key)
    if (needed) return needed
    const { studioId, id } = key
    const { rows } = await sql<{ sold: boolean }>`
      select ${isSold} as sold from packages p where p.studio_id = ${studioId} and p.id = ${id}`.execute(tx)
    const outcome = rows[0]?.sold ? 'archived' : 'removed'
    if (outcome === 'removed') {
      await tx.deleteFrom('packages').where('studio_id', '=', studioId).where('id', '=', id).execute()
    } else {
      await tx
        .updateTable('packages')
        .set(({ eb }) => ({
          archived_at: before.archived_at ?? deps.clock(),
          updated_at: deps.clock(),
          version: eb('version', '+', 1),
        }))
        .where('studio_id', '=', studioId)
        .where('id', '=', id)
        .execute()
    }
    await tell(tx, deps, { key, user, action: `package.${outcome}`, detail: { name: before.content.name } })
    return { outcome }
  })
