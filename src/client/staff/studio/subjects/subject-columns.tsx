import { PanelLink } from '#client/staff/kit/list/panel-link.tsx'
import { subjectDisplayName } from '#client/staff/kit/screen/format.ts'
import type { SubjectRow } from '#contract/studio/subjects.ts'
import type { Column } from '#ui/table/data-table.tsx'
import styles from './subjects.module.css'

type SubjectColumnOptions = {
  urlOf: (id: number) => string
  /** Opens a subject in the side panel. Returns false if there is no room for it. */
  openInPanel: (id: number) => boolean
}

const fieldsLabel = ({ fields }: SubjectRow): string => fields.map(({ name, value }) => `${name}: ${value}`).join(', ')

const groupsLabel = ({ groups }: SubjectRow): string => groups.map(({ name }) => name).join(', ')

/** Shows long text on one line, so that all rows have the same height. The subject's page shows it in full. */
const TruncatedText = ({ text }: { text: string }) => <span className={styles.line}>{text}</span>

const SubjectCell = ({ row, urlOf, openInPanel }: SubjectColumnOptions & { row: SubjectRow }) => (
  <span className={styles.nameCell}>
    {row.imageThumbnailUrl ? (
      <img className={styles.thumbnail} src={row.imageThumbnailUrl} alt="" loading="lazy" />
    ) : (
      <span className={styles.thumbnail} />
    )}
    <PanelLink href={urlOf(row.id)} openInPanel={() => openInPanel(row.id)}>
      {subjectDisplayName(row)}
    </PanelLink>
    {row.isHidden && <span className={styles.hidden}>Hidden</span>}
  </span>
)

/** Columns of the subject list. The name links to the subject's page, or opens the side panel. */
export const subjectColumns = (options: SubjectColumnOptions): readonly Column<SubjectRow>[] => [
  { id: 'name', header: 'Name', sort: 'name', cell: (row) => <SubjectCell row={row} {...options} /> },
  { id: 'groups', header: 'Groups', sort: 'group', cell: (row) => <TruncatedText text={groupsLabel(row)} /> },
  { id: 'reference', header: 'Reference', sort: 'reference', cell: ({ reference }) => reference },
  { id: 'code', header: 'Code', cell: ({ code }) => code },
  { id: 'images', header: 'Images', isNumber: true, cell: ({ imageCount }) => imageCount },
  { id: 'orders', header: 'Orders', isNumber: true, cell: ({ orderCount }) => orderCount },
  { id: 'checked-in', header: 'Checked in', cell: ({ isCheckedIn }) => (isCheckedIn ? 'Yes' : 'No') },
  { id: 'fields', header: 'Fields', cell: (row) => <TruncatedText text={fieldsLabel(row)} /> },
]
