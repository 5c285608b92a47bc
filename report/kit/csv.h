/* csv.h - a table as text: RFC 4180, UTF-8.
 *
 *     node,parent,name
 *     0,,"interval"
 *     1,0,"say ""hi"""
 *
 * Texts are always quoted, numbers never; no value is nothing between two commas.
 */
#ifndef REPORT_KIT_CSV_H
#define REPORT_KIT_CSV_H

#include "report/kit/table.h"

extern const struct table_format csv_format;

#endif
