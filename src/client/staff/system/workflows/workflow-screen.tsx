import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { useFieldArray, useWatch } from 'react-hook-form'
import { useLocation } from 'wouter'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { FieldPair, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { ListCard, ListCards } from '#client/staff/kit/form/list-card.tsx'
import type { VersionedValues } from '#client/staff/kit/form/merge-edits.ts'
import { useRecordForm } from '#client/staff/kit/form/use-record-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import rows from '#client/staff/kit/screen/rows.module.css'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import {
  getPlatformWorkflow,
  type PlatformWorkflow,
  postPlatformWorkflow,
  putPlatformWorkflow,
} from '#contract/system/platform-workflows.ts'
import { parsedRules } from '#domain/shared/derived-rules.ts'
import { parseNumber } from '#domain/shared/validators.ts'
import { maxWorkflowSteps, type WorkflowDraft, workflowRules } from '#domain/studio/workflow.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import { useWorkflowActions, workflowsUrl, workflowUrl } from './use-workflow-actions.ts'

/** The due days are text until they are saved. */
type Model = { name: string; steps: { name: string; dueDays: string }[] }

const toDraft = ({ name, steps }: Model): WorkflowDraft => ({
  name,
  steps: steps.map((step) => ({ name: step.name, dueDays: parseNumber(step.dueDays) })),
})

const rules = parsedRules(workflowRules, toDraft)

const newWorkflow = { name: '', steps: [], version: 0 }

const toVersionedValues = ({
  name,
  steps,
  version,
}: Pick<PlatformWorkflow, 'name' | 'steps' | 'version'>): VersionedValues<Model> => ({
  values: { name, steps: steps.map((step) => ({ name: step.name, dueDays: String(step.dueDays) })) },
  version,
})

const Steps = () => {
  const { fields, append, remove, move } = useFieldArray<Model, 'steps', 'key'>({ name: 'steps', keyName: 'key' })
  const values = useWatch<Model, 'steps'>({ name: 'steps' }) ?? []
  return (
    <>
      {fields.length === 0 ? (
        <EmptyState title="No steps yet">
          <p>Add what a studio does for each job, in order.</p>
        </EmptyState>
      ) : (
        <>
          <p className={rows.soft}>Days count from the picture day: -7 is a week before it.</p>
          <ListCards>
            {fields.map(({ key }, index) => (
              <ListCard
                key={key}
                name={values[index]?.name.trim() || 'the new step'}
                index={index}
                count={fields.length}
                onMove={(to) => move(index, to)}
                onRemove={() => remove(index)}
              >
                <FieldPair>
                  <TextField name={`steps.${index}.name`} label="Step" required maxLength={200} />
                  <TextField name={`steps.${index}.dueDays`} label="Days after picture day" required />
                </FieldPair>
              </ListCard>
            ))}
          </ListCards>
        </>
      )}
      <Button
        variant="secondary"
        icon={Plus}
        disabled={fields.length >= maxWorkflowSteps}
        onClick={() => append({ name: '', dueDays: '0' }, { focusName: `steps.${fields.length}.name` })}
      >
        Add a step
      </Button>
    </>
  )
}

const WorkflowForm = ({ workflow }: { workflow: PlatformWorkflow | null }) => {
  const [, navigate] = useLocation()
  const post = useStaffMutation(postPlatformWorkflow)
  const put = useStaffMutation(putPlatformWorkflow)
  const edit = useRecordForm<Model, Pick<PlatformWorkflow, 'name' | 'steps' | 'version'>>({
    name: `platform workflow ${workflow?.id ?? 'new'}`,
    record: workflow ?? newWorkflow,
    toVersionedValues,
    rules,
    save: async ({ values, version }) => {
      const draft = toDraft(values)
      const body = { ...draft, steps: [...draft.steps] }
      if (workflow)
        return await put.mutate({ params: { id: workflow.id }, body: { ...body, version } }, { onError: 'silent' })
      const answer = await post.mutate({ body }, { onError: 'silent' })
      if (answer.ok) navigate(workflowUrl(answer.data.id), { replace: true })
      return answer
    },
    ...(workflow && { read: () => authorizedRequest(getPlatformWorkflow, { params: { id: workflow.id } }) }),
  })
  const stepsError = edit.form.formState.errors.steps?.message
  return (
    <EditForm edit={edit} labels={{ name: 'Name', steps: 'The steps' }}>
      <TextField name="name" label="Name" required maxLength={200} />
      {stepsError && <Notice tone="attention">Steps: {stepsError}</Notice>}
      <Steps />
    </EditForm>
  )
}

const trail = [{ label: 'Workflows', href: workflowsUrl }]

/** Creates a workflow, or edits one. */
export const WorkflowScreen = ({ workflowId }: { workflowId: number | 'new' }) =>
  workflowId === 'new' ? (
    <StaffScreen title="New workflow" trail={trail}>
      <WorkflowForm workflow={null} />
    </StaffScreen>
  ) : (
    <ExistingWorkflow id={workflowId} />
  )

const ExistingWorkflow = ({ id }: { id: number }) => {
  const query = useStaffQuery(getPlatformWorkflow, { params: { id } })
  const actionsFor = useWorkflowActions()
  const workflow = query.data
  return (
    <StaffScreen
      title={workflow?.name ?? 'Workflow'}
      trail={trail}
      lead="Jobs that already have this workflow keep their copy of it."
      actions={
        workflow && (
          <Menu
            label={`Actions for ${workflow.name}`}
            icon={Ellipsis}
            align="end"
            items={actionsFor(workflow).slice(1)}
          />
        )
      }
    >
      <QueryBoundary query={query}>
        {(saved) => (
          <>
            {saved.isArchived && (
              <Notice tone="attention">This workflow is archived. Jobs can no longer choose it.</Notice>
            )}
            <WorkflowForm key={saved.id} workflow={saved} />
          </>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}
