import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useJob } from '#client/staff/kit/routing/staff-context.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getRoster, type RosterSubject } from '#contract/studio/roster.ts'
import { editSubjects } from '#contract/studio/subjects.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { CameraCard } from './camera-card.tsx'
import { cardsPerSheetOptions, splitIntoChunks } from './print-options.ts'
import { PrintToolbar } from './print-toolbar.tsx'
import styles from './printouts.module.css'
import { type PrintOptions, usePrintOptions } from './use-print-options.ts'
import { useQrCode } from './use-qr-code.ts'

/** Offers to create codes for subjects without one: their cards could not be scanned. */
const MissingCodesNotice = ({
  job: { studioId, jobId },
  people,
}: {
  job: JobParams
  people: readonly RosterSubject[]
}) => {
  const give = useStaffMutation(editSubjects)
  const ids = people.filter(({ code }) => code === null).map(({ id }) => id)
  if (ids.length === 0) return null
  const run = () =>
    give.mutate({ params: { studioId, jobId }, body: { whom: { ids: ids.slice(0, 500) }, edit: { do: 'give-codes' } } })
  return (
    <div className={styles.tools}>
      <Notice
        tone="attention"
        action={
          <Button size="sm" loading={give.busy} onClick={() => void run()}>
            Give codes
          </Button>
        }
      >
        {ids.length === 1 ? '1 person has' : `${ids.length} people have`} no code of their own: the scanner cannot read
        their cards.
      </Notice>
    </div>
  )
}

const CameraCardSheets = ({ people, state }: { people: readonly RosterSubject[]; state: PrintOptions }) => {
  const { name } = useJob()
  const draw = useQrCode()
  if (!draw) return <Skeleton lines={8} />
  return (
    <div className={styles.sheets} data-paper={state.paper}>
      {splitIntoChunks(people, Number(state.cardsPerSheet)).map((sheet) => (
        <section
          key={sheet[0]?.id}
          className={classNames(styles.sheet, state.cardsPerSheet === '4' && styles.large)}
          aria-label="Sheet of cards"
        >
          {sheet.map((subject) => (
            <CameraCard key={subject.id} subject={subject} jobName={name} draw={draw} />
          ))}
        </section>
      ))}
    </div>
  )
}

/** A camera card per subject, several on a sheet, to print and cut. */
export const CameraCardsScreen = (job: JobParams) => {
  const { studioId, jobId } = job
  const state = usePrintOptions()
  const query = state.groupId === '' ? {} : { groupId: Number(state.groupId) }
  const result = useStaffQuery(getRoster, { params: { studioId, jobId }, query })
  return (
    <StaffScreen title="Camera cards">
      <PrintToolbar job={job} state={state}>
        <Field label="Cards">
          <Select options={cardsPerSheetOptions} value={state.cardsPerSheet} onValue={state.chooseCardsPerSheet} />
        </Field>
      </PrintToolbar>
      <QueryBoundary query={result}>
        {({ people }) =>
          people.length === 0 ? (
            <EmptyState
              title="Nobody is here yet"
              action={<ButtonLink href={staffUrls.job(job, 'subjects')}>Subjects</ButtonLink>}
            >
              <p>A card for each person of this job appears here, once they are on its list.</p>
            </EmptyState>
          ) : (
            <>
              <MissingCodesNotice job={job} people={people} />
              <CameraCardSheets people={people} state={state} />
            </>
          )
        }
      </QueryBoundary>
    </StaffScreen>
  )
}
