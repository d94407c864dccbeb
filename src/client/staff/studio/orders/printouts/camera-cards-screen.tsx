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
import { PrintToolbar } from './print-toolbar.tsx'
import styles from './printouts.module.css'
import { cardsPerSheetOptions, type PrintOptions, splitIntoChunks, usePrintOptions } from './use-print-options.ts'
import { useQrCode } from './use-qr-code.ts'

/** Offers to assign codes to subjects that have none, because their cards cannot be scanned. */
const MissingCodesNotice = ({
  job: { studioId, jobId },
  subjects,
}: {
  job: JobParams
  subjects: readonly RosterSubject[]
}) => {
  const assignCodes = useStaffMutation(editSubjects)
  const ids = subjects.filter(({ code }) => code === null).map(({ id }) => id)
  if (ids.length === 0) return null
  const assignMissingCodes = () =>
    assignCodes.mutate({
      params: { studioId, jobId },
      body: { subjects: { ids: ids.slice(0, 500) }, edit: { do: 'give-codes' } },
    })
  return (
    <div className={styles.tools}>
      <Notice
        tone="attention"
        action={
          <Button size="sm" loading={assignCodes.busy} onClick={() => void assignMissingCodes()}>
            Assign codes
          </Button>
        }
      >
        {ids.length === 1 ? '1 person has' : `${ids.length} people have`} no access code: the scanner cannot read their
        cards.
      </Notice>
    </div>
  )
}

type CameraCardSheetsProps = { subjects: readonly RosterSubject[]; printOptions: PrintOptions }

const CameraCardSheets = ({ subjects, printOptions }: CameraCardSheetsProps) => {
  const { name } = useJob()
  const drawQrCode = useQrCode()
  if (!drawQrCode) return <Skeleton lines={8} />
  return (
    <div className={styles.sheets} data-paper={printOptions.paper}>
      {splitIntoChunks(subjects, Number(printOptions.cardsPerSheet)).map((sheet) => (
        <section
          key={sheet[0]?.id}
          className={classNames(styles.sheet, printOptions.cardsPerSheet === '4' && styles.large)}
          aria-label="Sheet of cards"
        >
          {sheet.map((subject) => (
            <CameraCard key={subject.id} subject={subject} jobName={name} drawQrCode={drawQrCode} />
          ))}
        </section>
      ))}
    </div>
  )
}

/** Camera cards of a job's subjects to print and cut out, several on each sheet. */
export const CameraCardsScreen = (job: JobParams) => {
  const { studioId, jobId } = job
  const printOptions = usePrintOptions()
  const query = printOptions.groupId === '' ? {} : { groupId: Number(printOptions.groupId) }
  const result = useStaffQuery(getRoster, { params: { studioId, jobId }, query })
  return (
    <StaffScreen title="Camera cards">
      <PrintToolbar job={job} printOptions={printOptions}>
        <Field label="Cards">
          <Select
            options={cardsPerSheetOptions}
            value={printOptions.cardsPerSheet}
            onValue={printOptions.chooseCardsPerSheet}
          />
        </Field>
      </PrintToolbar>
      <QueryBoundary query={result}>
        {({ people: subjects }) =>
          subjects.length === 0 ? (
            <EmptyState
              title="No one here yet"
              action={<ButtonLink href={staffUrls.job(job, 'subjects')}>Subjects</ButtonLink>}
            >
              <p>A card for each person appears here once they are on the list.</p>
            </EmptyState>
          ) : (
            <>
              <MissingCodesNotice job={job} subjects={subjects} />
              <CameraCardSheets subjects={subjects} printOptions={printOptions} />
            </>
          )
        }
      </QueryBoundary>
    </StaffScreen>
  )
}
