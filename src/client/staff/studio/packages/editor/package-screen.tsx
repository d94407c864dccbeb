import { useLocation } from 'wouter'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { type QueryResult, useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import {
  getPackage,
  getPackageSet,
  listSetPackages,
  type PackageRow,
  type PackageSet,
  type StudioPackage,
} from '#contract/studio/package-sets.ts'
import { getPackageDefaults, listProducts, type PackageDefaults, type StaffProduct } from '#contract/studio/products.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { toast } from '#ui/toast/toast.ts'
import { type PackageUrlParams, packageSetsBreadcrumb, packageSetUrl, packageUrl } from '../package-urls.ts'
import { newDraft } from './editor-draft.ts'
import { PackageEditorForm } from './package-editor.tsx'
import { usePackageEditor } from './use-package-editor.ts'

type PackageScreenProps = PackageUrlParams & { packageSetId: number; packageId: number | 'new' }

type EditorData = {
  set: PackageSet
  saved: StudioPackage | null
  start: PackageDefaults
  products: readonly StaffProduct[]
  standards: readonly PackageRow[]
}

/** Combines all data the editor needs into one query. */
const useEditorData = ({ studioId, packageSetId, packageId }: PackageScreenProps): QueryResult<EditorData> => {
  const ofSet = { studioId, packageSetId }
  const isNew = packageId === 'new'
  const set = useStaffQuery(getPackageSet, { params: { studioId, id: packageSetId } })
  const saved = useStaffQuery(getPackage, { params: { ...ofSet, id: isNew ? 0 : packageId }, enabled: !isNew })
  const start = useStaffQuery(getPackageDefaults, { params: { studioId } })
  const products = useStaffQuery(listProducts, { params: { studioId } })
  const others = useStaffQuery(listSetPackages, { params: ofSet })
  const all = [set, start, products, others, ...(isNew ? [] : [saved])]
  const load = (): EditorData | undefined => {
    if (!set.data || !start.data || !products.data || !others.data || !(isNew || saved.data)) return undefined
    return {
      set: set.data,
      saved: saved.data ?? null,
      start: start.data,
      products: toPage(products.data).resultItems,
      standards: toPage(others.data).resultItems.filter(
        ({ id, addonType }) => addonType === 'standard' && id !== packageId,
      ),
    }
  }
  return {
    data: load(),
    error: all.find(({ error: failed }) => failed)?.error,
    isFetching: all.some(({ isFetching: isAsking }) => isAsking),
    isPlaceholder: false,
    refetch: () => {
      for (const one of all) one.refetch()
    },
  }
}

/** Creates or edits a package of a set. */
export const PackageScreen = (params: PackageScreenProps) => {
  const { packageSetId, packageId } = params
  const query = useEditorData(params)
  const { set, saved } = query.data ?? {}
  const title = packageId === 'new' ? 'New package' : (saved?.content.name ?? 'Package')
  const trail = [
    packageSetsBreadcrumb(params),
    { label: set?.name ?? 'Package set', href: packageSetUrl(params, packageSetId) },
  ]
  return (
    <StaffScreen title={title} trail={trail}>
      <QueryBoundary query={query}>
        {(loaded) => <Editor key={packageId} params={params} loaded={loaded} />}
      </QueryBoundary>
    </StaffScreen>
  )
}

const Editor = ({ params, loaded }: { params: PackageScreenProps; loaded: EditorData }) => {
  const { studioId, packageSetId, packageId } = params
  const { saved, start, products, standards } = loaded
  const [, navigate] = useLocation()
  const editor = usePackageEditor({
    params: { studioId, packageSetId },
    saved,
    start: newDraft(start),
    products,
    standardIds: standards.map(({ id }) => id),
    onSaved: ({ id }) => {
      if (packageId !== 'new') return
      toast('Saved', 'success')
      navigate(packageUrl(params, packageSetId, id), { replace: true })
    },
  })
  return (
    <>
      {saved?.isArchived && <Notice tone="attention">This package is in the archive: nobody is offered it.</Notice>}
      {saved?.isSold && (
        <Notice>
          It is in carts or was ordered. What is sold stays as it is; open carts are shown what you change.
        </Notice>
      )}
      <PackageEditorForm
        editor={editor}
        products={products}
        standards={standards}
        allowConsumerCrop={start.allowConsumerCrop}
        isNew={packageId === 'new'}
      />
    </>
  )
}
