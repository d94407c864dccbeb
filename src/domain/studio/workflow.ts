/** A step of a job's workflow; `dueDays` counts from the event's day, below nothing before it. */
export type WorkflowStep = { name: string; dueDays: number }

/** A step as a job goes through it; `doneAt` is ISO 8601, `doneBy` a user's id. */
export type JobStep = WorkflowStep & { done: boolean; doneAt: string | null; doneBy: number | null }

const dayMilliseconds = 24 * 60 * 60 * 1000

/** A day (`2027-04-15`) so many days later, or earlier where `days` is below nothing. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMilliseconds).toISOString().slice(0, 10)

/** The day a step is due, from the event's day; null while nobody said when the event is. */
export const dueOn = ({ dueDays }: WorkflowStep, eventDate: string | null): string | null =>
  eventDate === null ? null : addDays(eventDate, dueDays)

/** A workflow's steps as a job begins them. */
export const initialSteps = (steps: readonly WorkflowStep[]): JobStep[] =>
  steps.map(({ name, dueDays }) => ({ name, dueDays, done: false, doneAt: null, doneBy: null }))

type StepChange = { step: number; done: boolean; at: string; by: number }

/**
 * The steps with one of them done, or not done any more. Done again, it keeps who did it first; null where there is no such step.
 */
export const tickStep = (steps: readonly JobStep[], { step, done, at, by }: StepChange): JobStep[] | null => {
  const ticked = steps[step]
  if (!ticked) return null
  if (ticked.done === done) return [...steps]
  return steps.with(step, { ...ticked, done, doneAt: done ? at : null, doneBy: done ? by : null })
}

/** How far a job is: how many of its steps are done, and the first that is not. */
export const workflowProgress = <Step extends JobStep>(
  steps: readonly Step[],
): { done: number; total: number; next: Step | null } => ({
  done: steps.filter(({ done }) => done).length,
  total: steps.length,
  next: steps.find(({ done }) => !done) ?? null,
})
