/* The program of the page, and its user, who acts whenever the loop has nothing else to do. */
#pragma GCC diagnostic ignored "-Wreturn-type"
#define main program
#include "gtk_list.c"
#undef main

#include <string.h>

/* The titles in the list, a line each. */
static char *shown(GtkWidget *list) {
  GString *titles = g_string_new(NULL);
  GtkWidget *row = gtk_widget_get_first_child(list);
  for (; row; row = gtk_widget_get_next_sibling(row)) {
    GtkWidget *label = gtk_list_box_row_get_child(GTK_LIST_BOX_ROW(row));
    g_string_append_printf(titles, "%s\n", gtk_label_get_text(GTK_LABEL(label)));
  }
  return g_string_free(titles, FALSE);
}

static void type(GtkWidget *entry, const char *title) {
  gtk_editable_set_text(GTK_EDITABLE(entry), title);
  g_signal_emit_by_name(entry, "activate");
  if (*gtk_editable_get_text(GTK_EDITABLE(entry))) g_error("the entry was not cleared");
}

/* Does the next step once the list has what the one before leads to. */
static gboolean act(gpointer context) {
  (void)context;
  static const char *const expected[] = {"", "Tea & milk\n", "Tea & milk\nBread\n", "Tea & milk\n"};
  static int step = 0;
  GListModel *windows = gtk_window_get_toplevels();
  GtkWindow *window = g_list_model_get_item(windows, 0);
  if (!window) return G_SOURCE_CONTINUE;
  GtkWidget *list = gtk_widget_get_first_child(gtk_window_get_child(window));
  GtkWidget *entry = gtk_widget_get_next_sibling(list);
  GtkWidget *button = gtk_widget_get_next_sibling(entry);
  char *titles = shown(list);
  if (gtk_widget_get_mapped(list) && strcmp(titles, expected[step]) == 0) {
    switch (step++) {
      case 0: type(entry, "Tea & milk"); break;
      case 1: type(entry, "Bread"); break;
      case 2: g_signal_emit_by_name(button, "clicked"); break;
      default: gtk_window_close(window);
    }
  }
  g_free(titles);
  g_object_unref(window);
  return step < 4 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

int main(void) {
  g_idle_add(act, NULL);
  program();
  return 0;
}
