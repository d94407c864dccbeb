import Upload from 'lucide-react/icons/upload'
import { useRef, useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { postGreenScreen } from '#contract/studio/green-screens.ts'
import { Button } from '#ui/button/button.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'

/** Uploads images one by one. A rejected one shows its reason; the others continue. */
export const GreenScreenUploadButton = ({ job: { studioId, jobId } }: { job: JobParams }) => {
  const input = useRef<HTMLInputElement>(null)
  const post = useStaffMutation(postGreenScreen)
  const [left, setLeft] = useState(0)
  const send = async (files: readonly File[]) => {
    for (const [at, file] of files.entries()) {
      setLeft(files.length - at)
      const form = new FormData()
      form.append('File', file)
      await post.mutate({ params: { studioId, jobId }, form })
    }
    setLeft(0)
  }
  return (
    <>
      <VisuallyHidden>
        <input
          ref={input}
          type="file"
          tabIndex={-1}
          aria-label="Pictures to upload as backgrounds"
          accept="image/jpeg,image/png,image/webp"
          multiple
          onChange={({ currentTarget }) => {
            void send([...(currentTarget.files ?? [])])
            currentTarget.value = ''
          }}
        />
      </VisuallyHidden>
      <Button icon={Upload} loading={left > 0} onClick={() => input.current?.click()}>
        {left > 1 ? `${left} to go` : 'Upload backgrounds'}
      </Button>
    </>
  )
}
