import { sql } from 'kysely'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { type PackageDraft, type Product, packageDraftErrors } from '#domain/catalogue/package-draft.ts'
import { assignNodeIds, nodeIdsOf } from '#domain/catalogue/stable-node-ids.ts'
import { fixFieldsMessage, isValid } from '#domain/shared/validators.ts'
import type { Transaction } from '../database/database.ts'
import { type Problem, problem } from '../http/problem.ts'
import type { PackageSetKey } from './read-package-sets.ts'

const trimmedOrNull = (text: string | null): string | null => (text?.trim() ? text.trim() : null)

/** The draft part of a request body, with trimmed texts. */
export const draftOf = (body: PackageDraft): PackageDraft => ({
  name: body.name.trim(),
  retailCost: body.retailCost,
  altName: trimmedOrNull(body.altName),
  altDescription: trimmedOrNull(body.altDescription),
  items: body.items.map((item) => ({
    ...item,
    name: item.name.trim(),
    imageNodes: item.imageNodes.map((node) => ({ ...node, name: node.name.trim() })),
    textNodes: item.textNodes.map((node) => ({
      ...node,
      name: node.name.trim(),
      dataSource: trimmedOrNull(node.dataSource),
      altDataSource: trimmedOrNull(node.altDataSource),
    })),
  })),
  packageAddon: body.packageAddon,
})

/** Reads the products that are not archived, and the products that are already in the package. */
const readProducts = async (tx: Transaction, currentPackage: Package | undefined): Promise<Product[]> => {
  const currentCodes = JSON.stringify((currentPackage?.items ?? []).map(({ productCode }) => productCode))
  const { rows } = await sql<Product>`
    select code, name, width_inches as "widthInches", height_inches as "heightInches" from products
     where archived_at is null or code in (select jsonb_array_elements_text(${currentCodes}::jsonb))`.execute(tx)
  return rows
}

const readStandardPackageIds = async (
  tx: Transaction,
  { studioId, packageSetId }: PackageSetKey,
  exceptId: number,
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select p.id from packages p
      join package_versions v on v.studio_id = p.studio_id and v.package_id = p.id and v.version = p.current_version
     where p.studio_id = ${studioId} and p.package_set_id = ${packageSetId} and p.archived_at is null
       and v.addon_type = 'standard' and p.id <> ${exceptId}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** A problem with the errors of a draft by field; undefined if the draft is valid. */
export const draftProblem = async (
  tx: Transaction,
  { set, draft, before }: { set: PackageSetKey; draft: PackageDraft; before?: Package },
): Promise<Problem<'refused'> | undefined> => {
  const products = await readProducts(tx, before)
  const standardIds = await readStandardPackageIds(tx, set, before?.id ?? 0)
  const fields = packageDraftErrors(draft, { products, standardIds })
  return isValid(fields) ? undefined : problem('refused', fixFieldsMessage, { fields })
}

/** The draft with ids for its new nodes. They come from the package's own range of a thousand ids and are never reused. */
export const withDraftIds = async (
  tx: Transaction,
  { studioId, id, draft }: { studioId: number; id: number; draft: PackageDraft },
): Promise<PackageDraft> => {
  const versions = await tx
    .selectFrom('package_versions')
    .select('content')
    .where('studio_id', '=', studioId)
    .where('package_id', '=', id)
    .execute()
  const usedIds = versions.flatMap(({ content }) => nodeIdsOf(content.items))
  return {
    ...draft,
    items: assignNodeIds(draft.items, { known: new Set(usedIds), last: Math.max(id * 1000, ...usedIds) }),
  }
}
