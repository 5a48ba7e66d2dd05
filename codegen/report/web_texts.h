/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * web_texts.h -- the contents of report/web/page.css and page.js, which the build turns into C
 * strings.
 */
#ifndef SIDEWINDER_REPORT_WEB_TEXTS_H
#define SIDEWINDER_REPORT_WEB_TEXTS_H

extern const char web_style[];
extern const char web_script[];

#endif
