import { Answered } from '#client/staff/kit/query/query-boundary.tsx'
import { useChange } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useAnswer } from '#client/staff/kit/query/use-staff-query.ts'
import { useJob } from '#client/staff/kit/routing/staff-context.ts'
import { type JobPlace, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getRoster, type RosterPerson } from '#contract/studio/roster.ts'
import { editSubjects } from '#contract/studio/subjects.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { CameraCard } from './camera-card.tsx'
import { cardSizes, inParts } from './print-options.ts'
import { PaperTools } from './print-toolbar.tsx'
import styles from './printouts.module.css'
import { type PaperState, usePaper } from './use-print-options.ts'
import { useQr } from './use-qr-code.ts'

/** Who has no code gets no card that a scanner reads: so they are given one here. */
const WithoutCode = ({ job: { studioId, jobId }, people }: { job: JobPlace; people: readonly RosterPerson[] }) => {
  const give = useChange(editSubjects)
  const ids = people.filter(({ code }) => code === null).map(({ id }) => id)
  if (ids.length === 0) return null
  const run = () =>
    give.make({ params: { studioId, jobId }, body: { whom: { ids: ids.slice(0, 500) }, edit: { do: 'give-codes' } } })
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

const Sheets = ({ people, state }: { people: readonly RosterPerson[]; state: PaperState }) => {
  const { name } = useJob()
  const draw = useQr()
  if (!draw) return <Skeleton lines={8} />
  return (
    <div className={styles.sheets} data-paper={state.paper}>
      {inParts(people, Number(state.onSheet)).map((sheet) => (
        <section
          key={sheet[0]?.id}
          className={classNames(styles.sheet, state.onSheet === '4' && styles.large)}
          aria-label="Sheet of cards"
        >
          {sheet.map((person) => (
            <CameraCard key={person.id} person={person} jobName={name} draw={draw} />
          ))}
        </section>
      ))}
    </div>
  )
}

/** A card for each person to hold before the camera, several on a sheet, to be printed and cut. */
export const CardsScreen = (job: JobPlace) => {
  const { studioId, jobId } = job
  const state = usePaper()
  const query = state.groupId === '' ? {} : { groupId: Number(state.groupId) }
  const reading = useAnswer(getRoster, { params: { studioId, jobId }, query })
  return (
    <StaffScreen title="Camera cards">
      <PaperTools job={job} state={state}>
        <Field label="Cards">
          <Select options={cardSizes} value={state.onSheet} onValue={state.chooseSize} />
        </Field>
      </PaperTools>
      <Answered reading={reading}>
        {({ people }) =>
          people.length === 0 ? (
            <EmptyState
              title="Nobody is here yet"
              action={<ButtonLink href={staffUrls.job(job, 'subjects')}>Subjects</ButtonLink>}
            >
              <p>A card for each person of this job stands here, once they are on its list.</p>
            </EmptyState>
          ) : (
            <>
              <WithoutCode job={job} people={people} />
              <Sheets people={people} state={state} />
            </>
          )
        }
      </Answered>
    </StaffScreen>
  )
}
