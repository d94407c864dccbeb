import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { Answered } from '#client/staff/kit/query/query-boundary.tsx'
import { useChange } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useAnswer } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type JobPlace, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import {
  getJobPackageSet,
  type JobPackageSet,
  listJobPackages,
  listPackageSets,
  type PackageSet,
  putJobPackageSet,
} from '#contract/studio/package-sets.ts'
import { pageIn } from '#domain/shared/paging.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { TabLinks } from '#ui/navigation/tabs.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './job-packages.module.css'
import { packageColumns } from './package-columns.tsx'
import { packageUrl, setUrl } from './package-urls.ts'
import { SetDialog } from './sets/package-set-dialog.tsx'

/** Which set a job offers, and what is in it. */
export const JobPackagesScreen = (job: JobPlace) => {
  const { studioId, jobId } = job
  const { features } = useStudio()
  const reading = useAnswer(getJobPackageSet, { params: { studioId, jobId } })
  const links = [
    { label: 'Packages', href: staffUrls.job(job, 'packages'), current: true },
    { label: 'Green screens', href: staffUrls.job(job, 'packages/greenscreens'), current: false },
  ]
  return (
    <StaffScreen title="Packages">
      {features.has('greenscreens') && <TabLinks label="Packages" links={links} />}
      <Answered reading={reading}>
        {(set) => (
          <>
            <Chooser key={set.version} job={job} set={set} />
            {set.packageSetId !== null && <Offered job={job} packageSetId={set.packageSetId} />}
          </>
        )}
      </Answered>
    </StaffScreen>
  )
}

/** A set is made where it is wanted: offered at once, and open for its first package. */
const NewSet = ({ job, set, variant }: ChooserProps & { variant?: 'secondary' }) => {
  const { studioId, jobId } = job
  const [, navigate] = useLocation()
  const [isMaking, setMaking] = useState(false)
  const choose = useChange(putJobPackageSet)
  const offer = async ({ id }: PackageSet): Promise<void> => {
    setMaking(false)
    const body = { packageSetId: id, version: set.version }
    const answer = await choose.make({ params: { studioId, jobId }, body })
    if (answer.ok) navigate(setUrl({ studioId, job }, id))
  }
  return (
    <>
      <Button icon={Plus} {...(variant && { variant })} loading={choose.busy} onClick={() => setMaking(true)}>
        New package set
      </Button>
      {isMaking && (
        <SetDialog
          studioId={studioId}
          set={null}
          onClose={() => setMaking(false)}
          onSaved={(made) => void offer(made)}
        />
      )}
    </>
  )
}

type ChooserProps = { job: JobPlace; set: JobPackageSet }

const Chooser = ({ job, set }: ChooserProps) => {
  const sets = useAnswer(listPackageSets, { params: { studioId: job.studioId } })
  return (
    <Answered reading={sets}>
      {(data) => {
        const known = pageIn(data).resultItems
        if (known.length > 0 || set.packageSetId !== null) return <Choice job={job} set={set} known={known} />
        return (
          <EmptyState title="This event sells nothing yet" action={<NewSet job={job} set={set} />}>
            <p>
              Make a package set and put packages into it: they are what parents can order. Other events can offer the
              same set.
            </p>
          </EmptyState>
        )
      }}
    </Answered>
  )
}

const Choice = ({ job, set, known }: ChooserProps & { known: readonly PackageSet[] }) => {
  const { studioId, jobId } = job
  const choose = useChange(putJobPackageSet)
  const [chosen, setChosen] = useState(String(set.packageSetId ?? ''))
  const now = String(set.packageSetId ?? '')
  const options = [
    { value: '', label: 'None' },
    ...(set.isArchived ? [{ value: now, label: `${set.name} (in the archive)` }] : []),
    ...known.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  const save = async () => {
    const packageSetId = chosen === '' ? null : Number(chosen)
    const answer = await choose.make({ params: { studioId, jobId }, body: { packageSetId, version: set.version } })
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
          <ButtonLink variant="secondary" href={setUrl({ studioId, job }, set.packageSetId)}>
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
        <EmptyState title="This event sells nothing yet" action={<NewSet job={job} set={set} variant="secondary" />}>
          <p>Choose one of your package sets above, or make another one: its packages are what parents can order.</p>
        </EmptyState>
      )}
    </>
  )
}

const Offered = ({ job, packageSetId }: { job: JobPlace; packageSetId: number }) => {
  const { studioId, jobId } = job
  const list = useList()
  const reading = useAnswer(listJobPackages, { params: { studioId, jobId }, query: list.query })
  return (
    <ListScreen
      label="Packages"
      seek="Name"
      list={list}
      reading={reading}
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
