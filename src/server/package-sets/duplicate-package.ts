import { sql } from 'kysely'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { maxPackageNameLength, type PackageDraft } from '#domain/catalogue/package-draft.ts'
import type { User } from '../access/tokens/access-token.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { insertPackage, packagePosition } from './insert-package.ts'
import type { PackageSetKey } from './read-package-sets.ts'
import type { PackageKey } from './read-packages.ts'
import { draftOf } from './validate-package-draft.ts'
import { archivedSetProblem, insertPackageSet, lockPackageSet } from './write-package-set.ts'

type DuplicationProblem = Problem<'not-found' | 'refused'>

const copyNameOf = (name: string): string => `${name.slice(0, maxPackageNameLength - ' (copy)'.length)} (copy)`

type Original = {
  id: number
  position: number
  offeredPrepay: boolean
  offeredGallery: boolean
  taxClass: string
  isRecommended: boolean
  archived: boolean
  content: Package
}

const readOriginals = async (tx: Transaction, { studioId, packageSetId }: PackageSetKey): Promise<Original[]> => {
  const { rows } = await sql<Original>`
    select p.id, p.position, p.offered_prepay as "offeredPrepay", p.offered_gallery as "offeredGallery",
           p.tax_class as "taxClass", p.is_recommended as "isRecommended", p.archived_at is not null as archived, v.content
      from packages p
      join package_versions v on v.studio_id = p.studio_id and v.package_id = p.id and v.version = p.current_version
     where p.studio_id = ${studioId} and p.package_set_id = ${packageSetId} order by p.position, p.id`.execute(tx)
  return rows
}

/** The package as a draft. Its nodes get new ids when it is inserted. */
const draftFrom = ({ content }: Original, overrides: Partial<PackageDraft>): PackageDraft => ({
  ...draftOf(content),
  ...overrides,
})

/** Duplicates a package to the end of its set; returns the new id. */
export const duplicatePackage = (
  deps: Deps,
  { key, user }: { key: PackageKey; user: User },
): Promise<number | DuplicationProblem> =>
  inTransaction(deps.db, async (tx) => {
    const locked = await lockPackageSet(tx, key)
    const original = locked && (await readOriginals(tx, key)).find(({ id }) => id === key.id)
    if (!locked || !original) return problem('not-found')
    const archivedProblem = archivedSetProblem(locked)
    if (archivedProblem) return archivedProblem
    const draft = draftFrom(original, { name: copyNameOf(original.content.name) })
    return await insertPackage(tx, deps, {
      set: key,
      user,
      draft,
      options: { ...original, isRecommended: false },
      position: await packagePosition(tx, key, 'last'),
    })
  })

/** Duplicates a set with all its packages that are not archived. Add-ons refer to the copied packages. Returns the new id. */
export const duplicateSet = (
  deps: Deps,
  { key, user, name }: { key: PackageSetKey; user: User; name: string | undefined },
): Promise<number | DuplicationProblem> =>
  inTransaction(deps.db, async (tx) => {
    const locked = await lockPackageSet(tx, key)
    if (!locked) return problem('not-found')
    const { studioId } = key
    const { description } = await tx
      .selectFrom('package_sets')
      .select('description')
      .where('studio_id', '=', studioId)
      .where('id', '=', key.packageSetId)
      .executeTakeFirstOrThrow()
    const fields = { name: name ?? copyNameOf(locked.name), description }
    const packageSetId = await insertPackageSet(tx, deps, { studioId, user, fields })
    const originals = (await readOriginals(tx, key)).filter(({ archived }) => !archived)
    const copyIdByOriginal = new Map<number, number>()
    // Standard packages are inserted first, because add-ons refer to them.
    const orderedOriginals = originals.toSorted((a, b) => Number(isAddOn(a)) - Number(isAddOn(b)))
    for (const original of orderedOriginals) {
      const { packageAddon } = original.content
      const packageId = packageAddon.packageId === null ? null : (copyIdByOriginal.get(packageAddon.packageId) ?? null)
      const draft = draftFrom(original, { packageAddon: { ...packageAddon, packageId } })
      const copy = { set: { studioId, packageSetId }, user, draft, options: original, position: original.position }
      copyIdByOriginal.set(original.id, await insertPackage(tx, deps, copy))
    }
    return packageSetId
  })

const isAddOn = ({ content }: Original): boolean => content.packageAddon.type !== 'standard'
