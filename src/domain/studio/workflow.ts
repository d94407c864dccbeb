import { itemRules } from '../shared/derived-rules.ts'
import { type Rules, required, requiredList, validationMessages } from '../shared/validators.ts'
import { addDaysTo } from '../shared/wall-clock.ts'

/** A step of a job's workflow; `dueDays` counts from the event's day, negative before it. */
export type WorkflowStep = { name: string; dueDays: number }

/** Shown when the workflows cannot be loaded (section 8). */
export const fetchWorkflowsFailed = 'Failed to fetch workflows'

export type WorkflowDraft = { name: string; steps: readonly WorkflowStep[] }

export const maxWorkflowSteps = 50
const maxDueDays = 1000

/** The rules of a workflow: it has a name and steps, each with a name and a due day within about three years of the event. */
export const workflowRules: Rules<WorkflowDraft> = {
  name: required(),
  steps: [
    requiredList(),
    (_, { steps }) => (steps.length > maxWorkflowSteps ? `A workflow has up to ${maxWorkflowSteps} steps` : null),
  ],
  ...itemRules(
    { name: 'steps', maxItems: maxWorkflowSteps, read: ({ steps }: WorkflowDraft) => steps },
    {
      name: ({ name }) => (name.trim() === '' ? validationMessages.required : null),
      dueDays: ({ dueDays }) =>
        Number.isInteger(dueDays) && Math.abs(dueDays) <= maxDueDays
          ? null
          : `Enter a whole number from -${maxDueDays} to ${maxDueDays}`,
    },
  ),
}

/** A step of a job's own workflow; `doneAt` is ISO 8601, `doneBy` a user's id. */
export type JobStep = WorkflowStep & { done: boolean; doneAt: string | null; doneBy: number | null }

/** The day a step is due, from the event's day; null while the event has no date. */
export const dueOn = ({ dueDays }: WorkflowStep, eventDate: string | null): string | null =>
  eventDate === null ? null : addDaysTo(eventDate, dueDays)

/** The initial steps of a job's workflow. */
export const initialSteps = (steps: readonly WorkflowStep[]): JobStep[] =>
  steps.map(({ name, dueDays }) => ({ name, dueDays, done: false, doneAt: null, doneBy: null }))

type StepChange = { step: number; done: boolean; at: string; by: number }

/**
 * Ticks or unticks a step. Ticking a done step again does not change who did it first; null if there is no such step.
 */
export const tickStep = (steps: readonly JobStep[], { step, done, at, by }: StepChange): JobStep[] | null => {
  const ticked = steps[step]
  if (!ticked) return null
  if (ticked.done === done) return [...steps]
  return steps.with(step, { ...ticked, done, doneAt: done ? at : null, doneBy: done ? by : null })
}

/** The progress of a job: how many of its steps are done, and the first that is not. */
export const workflowProgress = <Step extends JobStep>(
  steps: readonly Step[],
): { done: number; total: number; next: Step | null } => ({
  done: steps.filter(({ done }) => done).length,
  total: steps.length,
  next: steps.find(({ done }) => !done) ?? null,
})
