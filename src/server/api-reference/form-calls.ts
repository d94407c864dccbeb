/** The fields of a form, by name, with what each holds. */
export type FormFields = Readonly<Record<string, string>>

const image = { File: 'One image' }

/** Calls that take a form with files (`mountFormCalls`). Their bodies are not part of the contract. */
const formCalls: Readonly<Record<string, FormFields>> = {
  putLogo: image,
  postGreenScreen: image,
  replaceImage: image,
  postWatermarkImage: image,
  putProductImage: image,
  uploadImport: { File: 'A list as CSV or Excel' },
  bulkReplaceImages: {
    File: 'Images; the nth file replaces the image that the nth setting names',
    'ImageMigrationSettings[0].ImageId': 'The image that the first file replaces, and so on',
    MigrateUnplacedReferences: 'Whether images that were not placed yet are replaced too: true or false',
  },
}

/** The fields of the form that a call takes; undefined if it takes JSON. */
export const formFieldsOf = (callName: string): FormFields | undefined => formCalls[callName]
