import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import {
  getJobPackageSet,
  type JobPackageSet,
  listJobPackages,
  listPackageSets,
  type PackageSet,
  putJobPackageSet,
} from '#contract/studio/package-sets.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { TabLinks } from '#ui/navigation/tabs.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './job-packages.module.css'
import { packageColumns } from './package-columns.tsx'
import { packageSetUrl, packageUrl } from './package-urls.ts'
import { PackageSetDialog } from './sets/package-set-dialog.tsx'

/** Chooses the package set that a job offers, and lists its packages. */
export const JobPackagesScreen = (job: JobParams) => {
  const { studioId, jobId } = job
  const { features } = useStudio()
  const query = useStaffQuery(getJobPackageSet, { params: { studioId, jobId } })
  const links = [
    { label: 'Packages', href: staffUrls.job(job, 'packages'), current: true },
    { label: 'Green screens', href: staffUrls.job(job, 'packages/greenscreens'), current: false },
  ]
  return (
    <StaffScreen title="Packages">
      {features.has('greenscreens') && <TabLinks label="Packages" links={links} />}
      <QueryBoundary query={query}>
        {(set) => (
          <>
            <PackageSetChooser key={set.version} job={job} set={set} />
            {set.packageSetId !== null && <OfferedPackages job={job} packageSetId={set.packageSetId} />}
          </>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}

/** Creates a package set, offers it in the job, and opens it so that packages can be added. */
const NewPackageSetButton = ({ job, set, variant }: PackageSetChooserProps & { variant?: 'secondary' }) => {
  const { studioId, jobId } = job
  const [, navigate] = useLocation()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const putSet = useStaffMutation(putJobPackageSet)
  const offerSet = async ({ id }: PackageSet): Promise<void> => {
    setDialogOpen(false)
    const body = { packageSetId: id, version: set.version }
    const answer = await putSet.mutate({ params: { studioId, jobId }, body })
    if (answer.ok) navigate(packageSetUrl({ studioId, job }, id))
  }
  return (
    <>
      <Button icon={Plus} {...(variant && { variant })} loading={putSet.busy} onClick={() => setDialogOpen(true)}>
        New package set
      </Button>
      {isDialogOpen && (
        <PackageSetDialog
          studioId={studioId}
          set={null}
          onClose={() => setDialogOpen(false)}
          onSaved={(packageSet) => void offerSet(packageSet)}
        />
      )}
    </>
  )
}

type PackageSetChooserProps = { job: JobParams; set: JobPackageSet }

const PackageSetChooser = ({ job, set }: PackageSetChooserProps) => {
  const setsQuery = useStaffQuery(listPackageSets, { params: { studioId: job.studioId } })
  return (
    <QueryBoundary query={setsQuery}>
      {(data) => {
        const packageSets = toPage(data).resultItems
        if (packageSets.length > 0 || set.packageSetId !== null)
          return <PackageSetForm job={job} set={set} packageSets={packageSets} />
        return (
          <EmptyState title="This event sells nothing yet" action={<NewPackageSetButton job={job} set={set} />}>
            <p>
              Create a package set and add packages: that’s what parents can order. Other jobs can use the same set.
            </p>
          </EmptyState>
        )
      }}
    </QueryBoundary>
  )
}

const PackageSetForm = ({ job, set, packageSets }: PackageSetChooserProps & { packageSets: readonly PackageSet[] }) => {
  const { studioId, jobId } = job
  const putSet = useStaffMutation(putJobPackageSet)
  const [selectedId, setSelectedId] = useState(String(set.packageSetId ?? ''))
  const savedId = String(set.packageSetId ?? '')
  const options = [
    { value: '', label: 'None' },
    ...(set.isArchived ? [{ value: savedId, label: `${set.name} (in the archive)` }] : []),
    ...packageSets.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  const save = async () => {
    const packageSetId = selectedId === '' ? null : Number(selectedId)
    const answer = await putSet.mutate({ params: { studioId, jobId }, body: { packageSetId, version: set.version } })
    if (answer.ok) toast('Saved', 'success')
    else if (answer.problem === 'conflict') setSelectedId(savedId)
  }
  return (
    <>
      <div className={styles.chooser}>
        <Field label="Package set" className={styles.set}>
          <Select options={options} value={selectedId} onValue={setSelectedId} />
        </Field>
        <Button disabled={selectedId === savedId} loading={putSet.busy} onClick={() => void save()}>
          Offer this set
        </Button>
        {set.packageSetId !== null && (
          <ButtonLink variant="secondary" href={packageSetUrl({ studioId, job }, set.packageSetId)}>
            Edit this set
          </ButtonLink>
        )}
      </div>
      {selectedId !== savedId && savedId !== '' && (
        <Notice tone="attention">
          Packages of the old set are no longer offered: carts with them must choose others.
        </Notice>
      )}
      {savedId === '' && (
        <EmptyState
          title="This event sells nothing yet"
          action={<NewPackageSetButton job={job} set={set} variant="secondary" />}
        >
          <p>Choose one of your package sets above, or create one: its packages are what parents can order.</p>
        </EmptyState>
      )}
    </>
  )
}

const OfferedPackages = ({ job, packageSetId }: { job: JobParams; packageSetId: number }) => {
  const { studioId, jobId } = job
  const list = useList()
  const query = useStaffQuery(listJobPackages, { params: { studioId, jobId }, query: list.query })
  return (
    <ListScreen
      label="Packages"
      searchPlaceholder="Name"
      list={list}
      query={query}
      columns={packageColumns(({ id }) => packageUrl({ studioId, job }, packageSetId, id))}
      idOf={({ id }) => String(id)}
      nameOf={({ name }) => name}
      empty={
        <EmptyState
          title="This set is empty"
          action={<ButtonLink href={packageUrl({ studioId, job }, packageSetId, 'new')}>New package</ButtonLink>}
        >
          <p>Add packages, and parents can order them.</p>
        </EmptyState>
      }
    />
  )
}
