import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useResourceForm } from '#client/staff/kit/resource/use-resource-form.ts'
import { getTag, postTag, putTag, type Tag } from '#contract/system/platform-products.ts'
import { type TagDraft, tagRules } from '#domain/platform/product-draft.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'

const modelOf = (tag: Tag | null): TagDraft => ({ name: tag?.name ?? '' })
const toDraft = (model: TagDraft): TagDraft => model
const calls = { get: getTag, post: postTag, put: putTag }

/** Renames a tag, or creates one for null. */
export const TagDialog = ({ tag, onClose }: { tag: Tag | null; onClose: () => void }) => {
  const edit = useResourceForm<TagDraft, Tag>({
    ...{ noun: 'tag', record: tag, modelOf, toDraft, rules: tagRules, calls },
    onSaved: onClose,
  })
  return (
    <Dialog open onClose={onClose} title={tag ? 'Edit tag' : 'New tag'} size="small">
      <EditForm edit={edit} labels={{ name: 'Name' }}>
        <TextField name="name" label="Name" maxLength={60} required />
      </EditForm>
    </Dialog>
  )
}
