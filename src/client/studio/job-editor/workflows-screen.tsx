import { useEffect } from 'react'
import {
  chooseWorkflow,
  getJobWorkflow,
  type JobWorkflow,
  listWorkflows,
  tickWorkflow,
} from '../../../contract/studio/workflows.ts'
import { showDate } from '../../../domain/dates.ts'
import { pageIn } from '../../../domain/paging.ts'
import { Answered } from '../../staff/answered.tsx'
import { StaffScreen } from '../../staff/staff-screen.tsx'
import type { JobPlace } from '../../staff/staff-urls.ts'
import { useAnswer } from '../../staff/use-answer.ts'
import { useChange } from '../../staff/use-change.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { confirm } from '../../ui/confirm.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import { Meter } from './meter.tsx'
import styles from './workflows.module.css'

/** What is said where the list of workflows does not come (section 8). */
const notFetched = 'Failed to fetch workflows'

const begunOver = {
  title: 'Begin another workflow?',
  message: 'What is ticked off in this one is forgotten.',
  confirmText: 'Begin it',
  danger: true,
} as const

const meanwhile = 'Somebody else changed this workflow in the meantime. This is the newest; please try again'

type Step = JobWorkflow['steps'][number]

const hintOf = ({ done, doneAt, doneBy, dueOn, dueDays }: Step): string => {
  if (done) return `Done${doneAt ? ` ${showDate(doneAt)}` : ''}${doneBy ? ` by ${doneBy}` : ''}`
  if (dueOn) return `Due ${showDate(dueOn)}`
  if (dueDays === 0) return 'Due on the picture day'
  return `Due ${Math.abs(dueDays)} days ${dueDays < 0 ? 'before' : 'after'} the picture day`
}

const useRefresh = (place: JobPlace) => {
  const { studioId, jobId } = place
  const params = { studioId, jobId }
  const reading = useAnswer(getJobWorkflow, { params })
  const answered = (answer: { ok: boolean; problem?: string; errors?: string[] }) => {
    if (answer.ok) return
    if (answer.problem === 'conflict') toast(meanwhile, 'error')
    else toastError(answer.errors ?? [])
    reading.again()
  }
  return { params, reading, answered }
}

const Choice = ({ place, workflow }: { place: JobPlace; workflow: JobWorkflow }) => {
  const { params, answered } = useRefresh(place)
  const choose = useChange(chooseWorkflow)
  const list = useAnswer(listWorkflows)
  const { failed } = list
  useEffect(() => {
    if (failed) toastError([notFetched])
  }, [failed])
  const known = list.data ? pageIn(list.data).resultItems : []
  const isGone = workflow.name !== null && !known.some(({ id }) => id === workflow.workflowId)
  const set = async (chosen: string) => {
    if (workflow.steps.some(({ done }) => done) && !(await confirm(begunOver))) return
    const workflowId = chosen === '' ? null : Number(chosen)
    answered(await choose.make({ params, body: { version: workflow.version, workflowId } }, 'nobody'))
  }
  const options = [
    { value: '', label: 'None' },
    ...(isGone ? [{ value: 'gone', label: workflow.name ?? '', disabled: true }] : []),
    ...known.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  const value = isGone ? 'gone' : String(workflow.workflowId ?? '')
  return (
    <Field label="Workflow" {...(failed && { errors: [notFetched] })} className={styles.choice}>
      <Select options={options} value={value} onValue={(chosen) => void set(chosen)} disabled={choose.busy} />
    </Field>
  )
}

const Steps = ({ place, workflow }: { place: JobPlace; workflow: JobWorkflow }) => {
  const { params, answered } = useRefresh(place)
  const tick = useChange(tickWorkflow)
  const set = async (step: number, done: boolean) =>
    answered(await tick.make({ params, body: { version: workflow.version, step, done } }, 'nobody'))
  const doneCount = workflow.steps.filter(({ done }) => done).length
  return (
    <>
      <Meter label="Steps done" value={doneCount} of={workflow.steps.length} />
      <ol className={styles.steps}>
        {workflow.steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place
          <li key={index}>
            <Checkbox
              label={step.name}
              hint={hintOf(step)}
              checked={step.done}
              disabled={tick.busy}
              onValue={(done) => void set(index, done)}
            />
          </li>
        ))}
      </ol>
    </>
  )
}

/** What a job goes through, step by step: which are done, by whom, and which are due when. */
export const WorkflowsScreen = (place: JobPlace) => {
  const { reading } = useRefresh(place)
  return (
    <StaffScreen title="Workflows" lead="The steps this job goes through, ticked off by whoever did them.">
      <Answered reading={reading}>
        {(workflow) => (
          <div className={styles.screen}>
            <Choice place={place} workflow={workflow} />
            {workflow.steps.length > 0 ? (
              <Steps place={place} workflow={workflow} />
            ) : (
              <EmptyState title="No workflow yet">
                <p>Choose one above, and its steps stand here with the days they are due.</p>
              </EmptyState>
            )}
          </div>
        )}
      </Answered>
    </StaffScreen>
  )
}
