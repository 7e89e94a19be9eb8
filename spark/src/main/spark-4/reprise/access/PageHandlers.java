package reprise.access;

import jakarta.servlet.http.HttpServlet;
import org.apache.spark.ui.JettyUtils;
import org.apache.spark.ui.SparkUI;

/**
 * What Spark's pages are served by. In Java, because Spark's jar has Jetty under another name than its Scala signatures
 * tell.
 */
public final class PageHandlers {
  private PageHandlers() {}

  /**
   * Serves a path of an application's pages by the servlet, under Spark's own access control.
   *
   * @param pages the application's SparkUI
   */
  public static void attach(Object pages, String path, HttpServlet servlet) {
    SparkUI ui = (SparkUI) pages;
    ui.attachHandler(JettyUtils.createServletHandler(path, servlet, ui.basePath()));
  }
}
