import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { ListFilter } from '#client/staff/kit/list/list-filter.tsx'
import { isListEmpty, ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { listPlatformWorkflows, type PlatformWorkflow } from '#contract/system/platform-workflows.ts'
import { fetchWorkflowsFailed } from '#domain/studio/workflow.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { toastError } from '#ui/toast/toast.ts'
import { useWorkflowActions, workflowUrl } from './use-workflow-actions.ts'

const columns: readonly Column<PlatformWorkflow>[] = [
  {
    id: 'name',
    header: 'Workflow',
    sort: 'name',
    cell: ({ id, name }) => <Link href={workflowUrl(id)}>{name}</Link>,
  },
  { id: 'steps', header: 'Steps', isNumber: true, cell: ({ steps }) => steps.length.toLocaleString('en-US') },
  {
    id: 'jobs',
    header: 'Jobs',
    sort: 'jobs',
    isNumber: true,
    cell: ({ jobCount }) => jobCount.toLocaleString('en-US'),
  },
]

/** The workflows that jobs of all studios can have. */
export const WorkflowsScreen = () => {
  const list = useList(['type'])
  const type = list.filters.type === 'archived' ? 'archived' : 'current'
  const query = useStaffQuery(listPlatformWorkflows, { query: { ...list.query, type } })
  const actionsFor = useWorkflowActions()
  const { error } = query
  useEffect(() => {
    if (error) toastError([fetchWorkflowsFailed])
  }, [error])
  const addButton = (
    <ButtonLink icon={Plus} href={workflowUrl('new')}>
      New workflow
    </ButtonLink>
  )
  const actionColumn: Column<PlatformWorkflow> = {
    id: 'actions',
    header: 'Actions',
    cell: (workflow) => (
      <Menu label={`Actions for ${workflow.name}`} icon={Ellipsis} align="end" items={actionsFor(workflow)} />
    ),
  }
  return (
    <StaffScreen
      title="Workflows"
      lead={<p>The steps that studios tick off for a job.</p>}
      actions={!isListEmpty(list, query) && addButton}
    >
      <ListScreen
        label="Workflows"
        searchPlaceholder="Name"
        list={list}
        query={query}
        columns={[...columns, actionColumn]}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        filters={
          <ListFilter
            list={list}
            name="type"
            label="Show"
            options={[
              { value: '', label: 'Current' },
              { value: 'archived', label: 'Archived' },
            ]}
          />
        }
        empty={
          type === 'archived' ? (
            <EmptyState title="No archived workflows">
              <p>A workflow that a job has is archived when you remove it.</p>
            </EmptyState>
          ) : (
            <EmptyState title="No workflows yet" action={addButton}>
              <p>Studios choose one for a job, and tick off its steps.</p>
            </EmptyState>
          )
        }
      />
    </StaffScreen>
  )
}
