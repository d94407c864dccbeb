/** A file that cannot be read as a list; its message says what staff can do. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
}

const saveAdvice = 'Save it as .xlsx or CSV'

/** The message for each kind of file that cannot be read. */
export const unreadableFileMessages = {
  empty: 'This file is empty',
  xls: `This is an Excel file from before 2007 (.xls). ${saveAdvice}`,
  xlsb: `This is a binary Excel file (.xlsb). ${saveAdvice}`,
  locked: `This file is protected by a password. ${saveAdvice} without one`,
  numbers: `This is a Numbers file. ${saveAdvice}`,
  ods: `This is an OpenDocument file. ${saveAdvice}`,
  html: `This is a web page, whatever its name says. Open it in Excel. ${saveAdvice}`,
  xml: `This is an XML file. Open it in Excel. ${saveAdvice}`,
  pdf: 'This is a PDF. Ask for the list as .xlsx or CSV',
  archive: 'This is a ZIP file and no list. Unpack it first, and send the list in it',
  unknown: `We cannot read this kind of file. ${saveAdvice}`,
  damaged: `This Excel file is damaged. Open it in Excel. ${saveAdvice}`,
  bomb: 'This file unpacks to more than we can take. Send only the sheet with the list',
  merged: 'This sheet has more merged cells than any list. Unmerge them in Excel, and send it again',
  long: 'This list has more than 50,000 rows. Send it in parts',
} as const
