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

/** The package set that a job offers, and its packages. */
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

/** Creates a set for the job: the job offers it at once, and its first package can be added. */
const NewPackageSetButton = ({ job, set, variant }: PackageSetChooserProps & { variant?: 'secondary' }) => {
  const { studioId, jobId } = job
  const [, navigate] = useLocation()
  const [isMaking, setMaking] = useState(false)
  const choose = useStaffMutation(putJobPackageSet)
  const offer = async ({ id }: PackageSet): Promise<void> => {
    setMaking(false)
    const body = { packageSetId: id, version: set.version }
    const answer = await choose.mutate({ params: { studioId, jobId }, body })
    if (answer.ok) navigate(packageSetUrl({ studioId, job }, id))
  }
  return (
    <>
      <Button icon={Plus} {...(variant && { variant })} loading={choose.busy} onClick={() => setMaking(true)}>
        New package set
      </Button>
      {isMaking && (
        <PackageSetDialog
          studioId={studioId}
          set={null}
          onClose={() => setMaking(false)}
          onSaved={(packageSet) => void offer(packageSet)}
        />
      )}
    </>
  )
}

type PackageSetChooserProps = { job: JobParams; set: JobPackageSet }

const PackageSetChooser = ({ job, set }: PackageSetChooserProps) => {
  const sets = useStaffQuery(listPackageSets, { params: { studioId: job.studioId } })
  return (
    <QueryBoundary query={sets}>
      {(data) => {
        const known = toPage(data).resultItems
        if (known.length > 0 || set.packageSetId !== null) return <PackageSetForm job={job} set={set} known={known} />
        return (
          <EmptyState title="This event sells nothing yet" action={<NewPackageSetButton job={job} set={set} />}>
            <p>
              Make a package set and put packages into it: they are what parents can order. Other events can offer the
              same set.
            </p>
          </EmptyState>
        )
      }}
    </QueryBoundary>
  )
}

const PackageSetForm = ({ job, set, known }: PackageSetChooserProps & { known: readonly PackageSet[] }) => {
  const { studioId, jobId } = job
  const choose = useStaffMutation(putJobPackageSet)
  const [chosen, setChosen] = useState(String(set.packageSetId ?? ''))
  const now = String(set.packageSetId ?? '')
  const options = [
    { value: '', label: 'None' },
    ...(set.isArchived ? [{ value: now, label: `${set.name} (in the archive)` }] : []),
    ...known.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  const save = async () => {
    const packageSetId = chosen === '' ? null : Number(chosen)
    const answer = await choose.mutate({ params: { studioId, jobId }, body: { packageSetId, version: set.version } })
    if (answer.ok) toast('Saved', 'success')
    else if (answer.problem === 'conflict') setChosen(now)
  }
  return (
    <>
      <div className={styles.chooser}>
        <Field label="Package set" className={styles.set}>
          <Select options={options} value={chosen} onValue={setChosen} />
        </Field>
        <Button disabled={chosen === now} loading={choose.busy} onClick={() => void save()}>
          Offer this set
        </Button>
        {set.packageSetId !== null && (
          <ButtonLink variant="secondary" href={packageSetUrl({ studioId, job }, set.packageSetId)}>
            Edit this set
          </ButtonLink>
        )}
      </div>
      {chosen !== now && now !== '' && (
        <Notice tone="attention">
          Packages of the set before are not on offer any more then: carts that hold some are told to choose others.
        </Notice>
      )}
      {now === '' && (
        <EmptyState
          title="This event sells nothing yet"
          action={<NewPackageSetButton job={job} set={set} variant="secondary" />}
        >
          <p>Choose one of your package sets above, or make another one: its packages are what parents can order.</p>
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
          <p>Put packages into it, and parents see them here.</p>
        </EmptyState>
      }
    />
  )
}
