import { useLocation } from 'wouter'
import { Answered } from '#client/staff/kit/query/query-boundary.tsx'
import { type Reading, useAnswer } from '#client/staff/kit/query/use-staff-query.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import {
  getPackage,
  getPackageSet,
  listSetPackages,
  type PackageRow,
  type PackageSet,
  type StudioPackage,
} from '#contract/studio/package-sets.ts'
import { getPackageStart, listProducts, type PackageStart, type StaffProduct } from '#contract/studio/products.ts'
import { pageIn } from '#domain/shared/paging.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { toast } from '#ui/toast/toast.ts'
import { type From, packageUrl, setsCrumb, setUrl } from '../package-urls.ts'
import { newDraft } from './editor-draft.ts'
import { PackageEditorForm } from './package-editor.tsx'
import { usePackageEditor } from './use-package-editor.ts'

type PackageScreenProps = From & { packageSetId: number; packageId: number | 'new' }

type Loaded = {
  set: PackageSet
  saved: StudioPackage | null
  start: PackageStart
  products: readonly StaffProduct[]
  standards: readonly PackageRow[]
}

/** Everything the editor stands on, as one answer. */
const useLoaded = ({ studioId, packageSetId, packageId }: PackageScreenProps): Reading<Loaded> => {
  const ofSet = { studioId, packageSetId }
  const isNew = packageId === 'new'
  const set = useAnswer(getPackageSet, { params: { studioId, id: packageSetId } })
  const saved = useAnswer(getPackage, { params: { ...ofSet, id: isNew ? 0 : packageId }, when: !isNew })
  const start = useAnswer(getPackageStart, { params: { studioId } })
  const products = useAnswer(listProducts, { params: { studioId } })
  const others = useAnswer(listSetPackages, { params: ofSet })
  const all = [set, start, products, others, ...(isNew ? [] : [saved])]
  const load = (): Loaded | undefined => {
    if (!set.data || !start.data || !products.data || !others.data || !(isNew || saved.data)) return undefined
    return {
      set: set.data,
      saved: saved.data ?? null,
      start: start.data,
      products: pageIn(products.data).resultItems,
      standards: pageIn(others.data).resultItems.filter(
        ({ id, addonType }) => addonType === 'standard' && id !== packageId,
      ),
    }
  }
  return {
    data: load(),
    failed: all.find(({ failed }) => failed)?.failed,
    isAsking: all.some(({ isAsking }) => isAsking),
    isOld: false,
    again: () => {
      for (const one of all) one.again()
    },
  }
}

/** A package of a set, to be made or changed. */
export const PackageScreen = (place: PackageScreenProps) => {
  const { packageSetId, packageId } = place
  const reading = useLoaded(place)
  const { set, saved } = reading.data ?? {}
  const title = packageId === 'new' ? 'New package' : (saved?.content.name ?? 'Package')
  const trail = [setsCrumb(place), { label: set?.name ?? 'Package set', href: setUrl(place, packageSetId) }]
  return (
    <StaffScreen title={title} trail={trail}>
      <Answered reading={reading}>{(loaded) => <Editor key={packageId} place={place} loaded={loaded} />}</Answered>
    </StaffScreen>
  )
}

const Editor = ({ place, loaded }: { place: PackageScreenProps; loaded: Loaded }) => {
  const { studioId, packageSetId, packageId } = place
  const { saved, start, products, standards } = loaded
  const [, navigate] = useLocation()
  const editor = usePackageEditor({
    place: { studioId, packageSetId },
    saved,
    start: newDraft(start),
    products,
    standardIds: standards.map(({ id }) => id),
    onSaved: ({ id }) => {
      if (packageId !== 'new') return
      toast('Saved', 'success')
      navigate(packageUrl(place, packageSetId, id), { replace: true })
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
