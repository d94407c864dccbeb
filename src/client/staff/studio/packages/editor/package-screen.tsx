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
  /** Null for a new package. */
  saved: StudioPackage | null
  defaults: PackageDefaults
  products: readonly StaffProduct[]
  /** The other standard packages of the set. */
  standardPackages: readonly PackageRow[]
}

/** Combines the queries of the editor into one. */
const useEditorData = ({ studioId, packageSetId, packageId }: PackageScreenProps): QueryResult<EditorData> => {
  const setParams = { studioId, packageSetId }
  const isNew = packageId === 'new'
  const set = useStaffQuery(getPackageSet, { params: { studioId, id: packageSetId } })
  const saved = useStaffQuery(getPackage, { params: { ...setParams, id: isNew ? 0 : packageId }, enabled: !isNew })
  const defaults = useStaffQuery(getPackageDefaults, { params: { studioId } })
  const products = useStaffQuery(listProducts, { params: { studioId } })
  const setPackages = useStaffQuery(listSetPackages, { params: setParams })
  const queries = [set, defaults, products, setPackages, ...(isNew ? [] : [saved])]
  const combineData = (): EditorData | undefined => {
    if (!set.data || !defaults.data || !products.data || !setPackages.data || !(isNew || saved.data)) return undefined
    return {
      set: set.data,
      saved: saved.data ?? null,
      defaults: defaults.data,
      products: toPage(products.data).resultItems,
      standardPackages: toPage(setPackages.data).resultItems.filter(
        ({ id, addonType }) => addonType === 'standard' && id !== packageId,
      ),
    }
  }
  return {
    data: combineData(),
    error: queries.find(({ error }) => error)?.error,
    isFetching: queries.some(({ isFetching }) => isFetching),
    isPlaceholder: false,
    refetch: () => {
      for (const query of queries) query.refetch()
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
        {(editorData) => <Editor key={packageId} params={params} editorData={editorData} />}
      </QueryBoundary>
    </StaffScreen>
  )
}

const Editor = ({ params, editorData }: { params: PackageScreenProps; editorData: EditorData }) => {
  const { studioId, packageSetId, packageId } = params
  const { saved, defaults, products, standardPackages } = editorData
  const [, navigate] = useLocation()
  const editor = usePackageEditor({
    params: { studioId, packageSetId },
    saved,
    initialDraft: newDraft(defaults),
    products,
    standardIds: standardPackages.map(({ id }) => id),
    onSaved: ({ id }) => {
      if (packageId !== 'new') return
      toast('Saved', 'success')
      navigate(packageUrl(params, packageSetId, id), { replace: true })
    },
  })
  return (
    <>
      {saved?.isArchived && <Notice tone="attention">This package is archived and not offered.</Notice>}
      {saved?.isInUse && <Notice>In use. Past orders won’t change; open carts will be asked to accept.</Notice>}
      <PackageEditorForm
        editor={editor}
        products={products}
        standardPackages={standardPackages}
        allowConsumerCrop={defaults.allowConsumerCrop}
        isNew={packageId === 'new'}
      />
    </>
  )
}
