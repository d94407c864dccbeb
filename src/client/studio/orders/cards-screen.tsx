import { getRoster, type RosterPerson } from '../../../contract/studio/roster.ts'
import { editSubjects } from '../../../contract/studio/subjects.ts'
import { Answered } from '../../staff/answered.tsx'
import { useJob } from '../../staff/staff-context.ts'
import { StaffScreen } from '../../staff/staff-screen.tsx'
import { type JobPlace, staffUrls } from '../../staff/staff-urls.ts'
import { useAnswer } from '../../staff/use-answer.ts'
import { useChange } from '../../staff/use-change.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CameraCard } from './camera-card.tsx'
import styles from './paper.module.css'
import { cardSizes, inParts } from './paper-choice.ts'
import { PaperTools } from './paper-tools.tsx'
import { type PaperState, usePaper } from './use-paper.ts'
import { useQr } from './use-qr.ts'

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
