import { useEffect, useState } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import {
  chooseWorkflow,
  getJobWorkflow,
  type JobWorkflow,
  listWorkflows,
  tickWorkflow,
} from '#contract/studio/workflows.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { toPage } from '#domain/shared/paging.ts'
import { fetchWorkflowsFailed } from '#domain/studio/workflow.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { toast, toastError } from '#ui/toast/toast.ts'
import { Meter } from './shoot-progress.tsx'
import styles from './workflows.module.css'

const restartQuestion = {
  title: 'Start another workflow?',
  message: 'Steps done in this one are cleared.',
  confirmText: 'Start it',
  danger: true,
} as const

const conflictMessage = 'Someone else changed this workflow. This is the latest version; please try again'

type Step = JobWorkflow['steps'][number]

const stepHint = ({ done, doneAt, doneBy, dueOn, dueDays }: Step): string => {
  if (done) return `Done${doneAt ? ` ${formatDate(doneAt)}` : ''}${doneBy ? ` by ${doneBy}` : ''}`
  if (dueOn) return `Due ${formatDate(dueOn)}`
  if (dueDays === 0) return 'Due on the picture day'
  return `Due ${Math.abs(dueDays)} days ${dueDays < 0 ? 'before' : 'after'} the picture day`
}

const useJobWorkflow = (params: JobParams) => {
  const { studioId, jobId } = params
  const callParams = { studioId, jobId }
  const query = useStaffQuery(getJobWorkflow, { params: callParams })
  /** If a call failed, shows the reason and loads the latest workflow. */
  const handleResult = (answer: { ok: boolean; problem?: string; errors?: string[] }) => {
    if (answer.ok) return
    if (answer.problem === 'conflict') toast(conflictMessage, 'error')
    else toastError(answer.errors ?? [])
    query.refetch()
  }
  return { params: callParams, query, handleResult }
}

const WorkflowSelect = ({ params, workflow }: { params: JobParams; workflow: JobWorkflow }) => {
  const { params: callParams, handleResult } = useJobWorkflow(params)
  const choose = useStaffMutation(chooseWorkflow)
  const list = useStaffQuery(listWorkflows)
  const { error: listError } = list
  useEffect(() => {
    if (listError) toastError([fetchWorkflowsFailed])
  }, [listError])
  const workflows = list.data ? toPage(list.data).resultItems : []
  const isUnlisted = workflow.name !== null && !workflows.some(({ id }) => id === workflow.workflowId)
  const chooseWorkflowId = async (selectedValue: string) => {
    if (workflow.steps.some(({ done }) => done) && !(await confirm(restartQuestion))) return
    const workflowId = selectedValue === '' ? null : Number(selectedValue)
    handleResult(
      await choose.mutate(
        { params: callParams, body: { version: workflow.version, workflowId } },
        { onError: 'silent' },
      ),
    )
  }
  const options = [
    { value: '', label: 'None' },
    ...(isUnlisted ? [{ value: 'gone', label: workflow.name ?? '', disabled: true }] : []),
    ...workflows.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  const value = isUnlisted ? 'gone' : String(workflow.workflowId ?? '')
  return (
    <Field label="Workflow" {...(listError && { errors: [fetchWorkflowsFailed] })} className={styles.choice}>
      <Select
        options={options}
        value={value}
        onValue={(selectedValue) => void chooseWorkflowId(selectedValue)}
        disabled={choose.busy}
      />
    </Field>
  )
}

const StepList = ({ params, workflow }: { params: JobParams; workflow: JobWorkflow }) => {
  const { params: callParams, handleResult } = useJobWorkflow(params)
  const tick = useStaffMutation(tickWorkflow)
  const { version } = workflow
  // Optimistic update: overrides the step's state until the next version of the workflow arrives.
  const [pending, setPending] = useState<{ version: number; step: number; done: boolean } | null>(null)
  const setDone = async (step: number, done: boolean) => {
    if (tick.busy) return
    setPending({ version, step, done })
    const answer = await tick.mutate({ params: callParams, body: { version, step, done } }, { onError: 'silent' })
    if (!answer.ok) setPending(null)
    handleResult(answer)
  }
  const isTicked = (step: Step, index: number): boolean =>
    pending?.version === version && pending.step === index ? pending.done : step.done
  const doneCount = workflow.steps.filter(({ done }) => done).length
  return (
    <>
      <Meter label="Steps done" value={doneCount} total={workflow.steps.length} />
      <ol className={styles.steps}>
        {workflow.steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are identified by their position
          <li key={index}>
            <Checkbox
              label={step.name}
              hint={stepHint(step)}
              checked={isTicked(step, index)}
              onValue={(done) => void setDone(index, done)}
            />
          </li>
        ))}
      </ol>
    </>
  )
}

/** The workflow steps of a job: which are done, who did them, and when they are due. */
export const WorkflowsScreen = (params: JobParams) => {
  const { query } = useJobWorkflow(params)
  return (
    <StaffScreen title="Workflows" lead="The steps of this job, and who did them.">
      <QueryBoundary query={query}>
        {(workflow) => (
          <div className={styles.screen}>
            <WorkflowSelect params={params} workflow={workflow} />
            {workflow.steps.length > 0 ? (
              <StepList params={params} workflow={workflow} />
            ) : (
              <EmptyState title="No workflow yet">
                <p>Choose one above, and its steps appear here with the days they are due.</p>
              </EmptyState>
            )}
          </div>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}
