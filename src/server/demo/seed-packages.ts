import type { Package } from '#domain/catalogue/catalogue.ts'
import { toCents } from '#domain/pricing/money.ts'
import type { Transaction } from '../database/database.ts'
import type { PackageDraft, PackageSetDraft } from './seed-package-sets.ts'

/** Creates ids for items and nodes from a range of a thousand per package, so that no two packages share an id. */
const createIdGenerator = (packageId: number): (() => number) => {
  let lastId = packageId * 1000
  return () => {
    lastId += 1
    return lastId
  }
}

const buildContent = (id: number, draft: PackageDraft, goesWith: number | null): Package => {
  const nextId = createIdGenerator(id)
  return {
    id,
    version: 1,
    name: draft.name,
    retailCost: draft.dollars,
    altName: null,
    altDescription: draft.contents,
    items: draft.items.map((item) => ({
      ...item,
      id: nextId(),
      imageNodes: item.imageNodes.map((node) => ({ ...node, id: nextId() })),
      textNodes: item.textNodes.map((node) => ({ ...node, id: nextId() })),
    })),
    packageAddon: {
      ...(draft.addon ?? { type: 'standard', requiredMinPrice: null, requiresStandard: false }),
      packageId: goesWith,
    },
  }
}

const isPrinted = (draft: PackageDraft): boolean => draft.items.some((item) => item.widthInches !== null)

const insertPackage = async (
  tx: Transaction,
  { studioId, setId, position }: { studioId: number; setId: number; position: number },
  { draft, idByName }: { draft: PackageDraft; idByName: Map<string, number> },
): Promise<void> => {
  const { id } = await tx
    .insertInto('packages')
    .values({
      studio_id: studioId,
      package_set_id: setId,
      position,
      offered_prepay: !draft.galleryOnly,
      is_recommended: draft.isRecommended ?? false,
      tax_class: isPrinted(draft) ? 'standard' : 'digital',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const content = buildContent(id, draft, idByName.get(draft.goesWith ?? '') ?? null)
  await tx
    .insertInto('package_versions')
    .values({
      studio_id: studioId,
      package_id: id,
      version: 1,
      name: draft.name,
      retail_cost_cents: toCents(draft.dollars),
      addon_type: content.packageAddon.type,
      content: JSON.stringify(content),
    })
    .execute()
  idByName.set(draft.name, id)
}

/** Inserts a package set and its packages, each with its first version. Returns the set's id. */
export const insertPackageSet = async (tx: Transaction, studioId: number, set: PackageSetDraft): Promise<number> => {
  const { id: setId } = await tx
    .insertInto('package_sets')
    .values({ studio_id: studioId, name: set.name, description: set.description })
    .returning('id')
    .executeTakeFirstOrThrow()
  const idByName = new Map<string, number>()
  for (const [index, draft] of set.packages.entries()) {
    await insertPackage(tx, { studioId, setId, position: index + 1 }, { draft, idByName })
  }
  return setId
}
