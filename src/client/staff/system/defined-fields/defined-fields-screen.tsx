import { ResourceScreen } from '#client/staff/kit/resource/resource-screen.tsx'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import {
  type DefinedField,
  deleteDefinedField,
  listDefinedFields,
  putDefinedField,
} from '#contract/system/defined-fields.ts'
import { dataClasses, maxCountedSubjects } from '#domain/platform/defined-field.ts'
import type { Column } from '#ui/table/data-table.tsx'
import { DefinedFieldDialog } from './defined-field-dialog.tsx'

const columns: readonly Column<DefinedField>[] = [
  { id: 'name', header: 'Field', sort: 'name', cell: ({ name }) => name },
  { id: 'label', header: 'Question', cell: ({ label }) => label },
  { id: 'aliases', header: 'Headings in lists', cell: ({ aliases }) => aliases.join(', ') },
  { id: 'class', header: 'Personal data', cell: ({ dataClass }) => dataClasses[dataClass] },
  { id: 'jobs', header: 'Jobs', sort: 'jobs', isNumber: true, cell: ({ jobCount }) => formatCount(jobCount) },
  {
    id: 'subjects',
    header: 'People',
    isNumber: true,
    cell: ({ subjectCount }) => `${formatCount(subjectCount)}${subjectCount < maxCountedSubjects ? '' : '+'}`,
  },
]

const draftOf = (field: DefinedField) => {
  const { name, label, inputType, hasOptions, options, aliases, dataClass, retentionMonths, position } = field
  return { name, label, inputType, hasOptions, options, aliases, dataClass, retentionMonths, position }
}

/** The fields about subjects that jobs of all studios can ask for, and that imports recognize. */
export const DefinedFieldsScreen = () => (
  <ResourceScreen
    title="Defined fields"
    lead="What jobs of all studios can ask parents, and what imports recognize in a school’s list."
    noun="field"
    calls={{ list: listDefinedFields, put: putDefinedField, remove: deleteDefinedField }}
    columns={columns}
    nameOf={({ name }) => name}
    draftOf={draftOf}
    searchPlaceholder="Name or heading"
    removalMessage="Jobs can no longer choose it, and imports no longer recognize it. If a job or a person has it, it is archived instead."
    emptyText="Add what studios often ask, such as the grade or the teacher."
    dialog={(field, onClose) => <DefinedFieldDialog field={field} onClose={onClose} />}
  />
)
